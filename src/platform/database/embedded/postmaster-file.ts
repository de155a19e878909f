import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PostmasterFile {
  pid: number
  socketFolder: string
  /** Whether connections are taken; `pg_ctl` waits for the same word. */
  ready: boolean
}

/** Reads `postmaster.pid` (`src/include/utils/pidfile.h`); undefined if there is none, or it is not complete yet. */
export function readPostmasterFile(clusterFolder: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(clusterFolder, 'postmaster.pid'), 'latin1').split('\n')
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid < 2) return undefined
    return { pid, socketFolder: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}
