import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './embedded/lock-folder.ts'
import { stopOrphans } from './embedded/stop-orphans.ts'

/**
 * Deletes the built-in database of a data folder for good. Does nothing where there is none.
 *
 * @throws Error where a service runs on the folder
 */
export async function removeEmbedded(dataFolder: string, log: (message: string) => void): Promise<void> {
  const folder = await realpath(dataFolder)
  const lock = await lockFolder(folder)
  try {
    const cluster = join(folder, 'postgres')
    await stopOrphans(cluster, log)
    // An orphan's last writes may still arrive.
    await rm(cluster, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  } finally {
    await lock.release()
  }
}
