import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './embedded/lock-folder.ts'
import { stopOrphans } from './embedded/stop-orphans.ts'

/**
 * Removes the built-in database of a data folder with all that is in it, for good. Does nothing where there is none.
 *
 * @throws Error where a service runs on the folder
 */
export async function removeEmbedded(dataFolder: string, log: (message: string) => void): Promise<void> {
  const folder = await realpath(dataFolder)
  const lock = await lockFolder(folder)
  try {
    const cluster = join(folder, 'postgres')
    await stopOrphans(cluster, log)
    // What an orphan wrote last may still come.
    await rm(cluster, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  } finally {
    await lock.release()
  }
}
