import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostmasterFile } from './postmaster-file.ts'

const pollMs = 20
/** How long a fast shutdown may take: it writes a checkpoint. */
const fastShutdownMs = 60_000
const immediateShutdownMs = 10_000
/** Processes without their postmaster end by themselves, at the end of their statement. */
const orphanedBackendsMs = 5_000

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The processes of the cluster: every one of them works inside its folder. */
function findProcesses(clusterFolder: string, postmaster: number): number[] {
  if (process.platform !== 'linux') {
    try {
      const command = execFileSync('ps', ['-o', 'command=', '-p', `${postmaster}`], { encoding: 'utf8' })
      return command.includes(clusterFolder) ? [postmaster] : []
    } catch {
      return []
    }
  }
  const found: number[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) !== clusterFolder) continue
      // Excludes a shell opened in that folder.
      if (/^\d+ \(postgres\)/.test(readFileSync(`/proc/${entry}/stat`, 'latin1'))) found.push(Number(entry))
    } catch {
      // Another user's process, or gone meanwhile.
    }
  }
  return found
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone meanwhile.
  }
}

/**
 * Ends what an earlier service left running on this cluster: its postmaster, if the service was killed, or single
 * processes, if the postmaster was. Call only while holding the folder's lock. Processes are recognised by their
 * working folder, so a reused process number does no harm.
 */
export async function stopOrphans(cluster: string, log: (message: string) => void): Promise<void> {
  const postmaster = readPostmasterFile(cluster)?.pid
  if (postmaster === undefined) return
  const clusterFolder = realpathSync(cluster)

  let processes = findProcesses(clusterFolder, postmaster)
  const isGone = async (withinMs: number): Promise<boolean> => {
    for (const untilMs = performance.now() + withinMs; processes.length > 0;) {
      if (performance.now() > untilMs) return false
      await sleep(pollMs)
      processes = findProcesses(clusterFolder, postmaster)
    }
    return true
  }

  if (processes.includes(postmaster)) {
    log(`stopping the database that an earlier service left running (process ${postmaster})`)
    send(postmaster, 'SIGINT')
    if (!(await isGone(fastShutdownMs))) send(postmaster, 'SIGQUIT')
    if (!(await isGone(immediateShutdownMs))) send(postmaster, 'SIGKILL')
  }
  if (!(await isGone(orphanedBackendsMs))) for (const pid of processes) send(pid, 'SIGKILL')
  if (!(await isGone(immediateShutdownMs))) {
    throw new Error(`processes ${processes.join(', ')} still work on ${clusterFolder} and cannot be stopped`)
  }
  // PostgreSQL would take any process with that number for a server on this cluster and refuse to start.
  if (readPostmasterFile(cluster)?.pid === postmaster && isAlive(postmaster))
    rmSync(join(clusterFolder, 'postmaster.pid'))
}
