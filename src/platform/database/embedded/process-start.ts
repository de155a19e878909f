import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Tells a process from a later one with the same number: its boot and its start time, as an opaque text. Undefined if
 * no such process runs; a zombie counts as ended. From /proc on Linux, from `ps` elsewhere.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    try {
      const environment = { ...process.env, LC_ALL: 'C' }
      const [state = '', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', `${pid}`], {
        encoding: 'utf8',
        env: environment,
      })
        .trim()
        .split(/ +/)
      return state.startsWith('Z') ? undefined : start.join(' ')
    } catch {
      return undefined
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, start] = [fields[0], fields[19]]
    if (state === 'Z' || state === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${start}`
  } catch {
    return undefined
  }
}
