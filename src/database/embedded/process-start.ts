import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Tells a process from a later one that got the same number: its boot and its start time, as an opaque text.
 * Undefined where no such process runs. Linux has it under /proc; elsewhere `ps` knows.
 */
export const processStart = (pid: number): string | undefined => {
  if (process.platform !== 'linux') {
    try {
      const environment = { ...process.env, LC_ALL: 'C' }
      return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], {
        encoding: 'utf8',
        env: environment,
      }).trim()
    } catch {
      return undefined
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, start] = [fields[0], fields[19]]
    // A zombie has ended; only its parent has not looked yet.
    if (state === 'Z' || state === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${start}`
  } catch {
    return undefined
  }
}
