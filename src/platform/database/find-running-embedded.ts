import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addresses } from './embedded/addresses.ts'
import { folderHolder } from './embedded/lock-folder.ts'
import { readPostmasterFile } from './embedded/postmaster-file.ts'

const pollMs = 50
/** How long a command waits for a service that is still starting, in milliseconds. Then the command fails. */
const waitMsMax = 15_000

/**
 * The database of the service that runs on this data folder, for a concurrent command; undefined if there is none,
 * so that the command may start the database itself. Waits for a service that is still starting.
 */
export async function findRunningEmbedded(
  dataFolder: string,
): Promise<{ url: string; adminUrl: string } | undefined> {
  for (const untilMs = performance.now() + waitMsMax; performance.now() < untilMs; await sleep(pollMs)) {
    if ((await folderHolder(dataFolder)) === undefined) return undefined
    const running = readPostmasterFile(join(dataFolder, 'postgres'))
    if (!running?.ready) continue
    const password = await readFile(join(dataFolder, 'postgres.password'), 'utf8')
    return addresses(running.socketFolder, password.trim())
  }
  throw new Error(`the service on ${dataFolder} has not started its database yet; try again`)
}
