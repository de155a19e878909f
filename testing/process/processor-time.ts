import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Fields of `/proc/<pid>/stat` after the command's name: proc(5). */
const readStat = (pid: number | string): string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has exited.
    return undefined
  }
}
const [parent, own, waitedFor] = [1, [11, 12], [13, 14]] as const

const sum = (fields: readonly string[], indexes: readonly number[]): number =>
  indexes.reduce((ticks, index) => ticks + Number(fields[index]), 0)

/**
 * The processor time of a process so far, user and system, of all threads, in µs; with `children` also that of its current
 * and past children, such as a postmaster's backends. Linux only, in steps of 10 ms.
 */
export const processorTimeUs = (pid: number, options: { children?: boolean } = {}): number => {
  const fields = readStat(pid)
  if (fields === undefined) throw new Error(`there is no process ${pid}`)
  let ticks = sum(fields, own)
  if (options.children === true) {
    ticks += sum(fields, waitedFor)
    for (const name of readdirSync('/proc')) {
      const child = /^\d+$/.test(name) ? readStat(name) : undefined
      if (child !== undefined && Number(child[parent]) === pid) ticks += sum(child, own)
    }
  }
  return (ticks / ticksPerSecond) * 1e6
}
