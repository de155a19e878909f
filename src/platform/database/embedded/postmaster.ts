import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostmasterFile } from './postmaster-file.ts'
import { processStart } from './process-start.ts'

/** The server process of the built-in database, whether started by this image of the process or taken over. */
export interface Postmaster {
  readonly pid: number
  hasEnded(): boolean
  /** Settles with what ended it, if that is known. */
  readonly ended: Promise<string>
  kill(signal: NodeJS.Signals): void
}

/** One that this image of the process started. */
export function startedPostmaster(child: ChildProcess): Postmaster {
  return {
    pid: child.pid!,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(String(signal ?? code)))
    }),
    kill: (signal) => void child.kill(signal),
  }
}

/**
 * How often to check whether one that was taken over has ended, since Node only reports the end of children that it
 * started itself. Less often where checking takes a process of its own. Milliseconds.
 */
const pollEveryMs = process.platform === 'linux' ? 250 : 2_000

function readParentPid(pid: number): number | undefined {
  try {
    if (process.platform !== 'linux') {
      return Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${pid}`], { encoding: 'utf8' }))
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

/**
 * The one that this very process started before it replaced itself (`restart-after-fault.ts`): it is still a child, and
 * so ends with this process. One left behind by a dead process does not count: it may be shutting down.
 */
export function findOwnPostmaster(
  cluster: string,
): { postmaster: Postmaster; socketFolder: string } | undefined {
  const file = readPostmasterFile(cluster)
  if (file === undefined || file.socketFolder === '' || readParentPid(file.pid) !== process.pid)
    return undefined
  const { pid, socketFolder } = file
  const start = processStart(pid)
  if (start === undefined) return undefined
  const hasEnded = (): boolean => processStart(pid) !== start
  const untilEnded = async (): Promise<string> => {
    while (!hasEnded()) await sleep(pollEveryMs, undefined, { ref: false })
    return 'see its log'
  }
  return {
    socketFolder,
    postmaster: {
      pid,
      hasEnded,
      ended: untilEnded(),
      kill: (signal) => {
        if (!hasEnded()) process.kill(pid, signal)
      },
    },
  }
}
