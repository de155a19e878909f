import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processStart } from './process-start.ts'

export interface FolderLock {
  release(): Promise<void>
}

interface Holder {
  pid: number
  start: string
  claim: string
}

/**
 * The claims of this image of the process. A claim of this very process that is not among them was made before the
 * process replaced itself (`restart-after-fault.ts`), and will not be released.
 */
const claims = new Set<string>()

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/** The pid of the running process that holds the lock of this folder, if any. */
function parseHolder(text: string): number | undefined {
  const holder = parse(text)
  if (holder?.pid === process.pid && !claims.has(holder.claim)) return undefined
  return holder && processStart(holder.pid) === holder.start ? holder.pid : undefined
}

function lockPath(folder: string): string {
  return join(folder, 'service.lock')
}

/** The pid of the service that runs on this folder, if one does. */
export async function folderHolder(folder: string): Promise<number | undefined> {
  return parseHolder(await readFile(lockPath(folder), 'utf8').catch(() => ''))
}

/**
 * Claims a data folder for this process, by a file that names the process and its start, so that neither a
 * crash nor a reused process number leaves the folder locked. Throws if another running process holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = lockPath(folder)
  const claim = randomUUID()
  claims.add(claim)
  const own = JSON.stringify({ pid: process.pid, start: processStart(process.pid), claim })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      try {
        await link(draft, path)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const found = await readFile(path, 'utf8').catch(() => undefined)
      if (found === undefined) continue
      const pid = parseHolder(found)
      if (pid !== undefined) {
        throw new Error(
          `the data folder ${folder} is in use by another Numera service (process ${pid}). ` +
            `Stop that one, or give this one a folder of its own with NUMERA_DATA_FOLDER.`,
        )
      }
      // Left behind by a process that is gone. Moved before it is deleted: if another process was quicker, the file is
      // that one's, and goes back.
      const aside = `${path}.${randomUUID()}`
      const moved = await rename(path, aside).then(
        () => true,
        () => false,
      )
      if (!moved) continue
      if ((await readFile(aside, 'utf8')) !== found) await link(aside, path).catch(() => {})
      await rm(aside)
    }
  } finally {
    await rm(draft)
  }
  return {
    release: async () => {
      claims.delete(claim)
      if ((await readFile(path, 'utf8').catch(() => '')) === own) await rm(path)
    },
  }
}
