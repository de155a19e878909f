import type { ListedBase } from './base.ts'
import { wholeMs } from './check-backup.ts'

const dayMs = 24 * 3_600_000
const weeksKept = 5
const monthsKept = 13

export interface Kept {
  bases: ListedBase[]
  /** The oldest base from which every later instant can be restored. */
  whole: ListedBase | undefined
}

function toWeek({ startedAt }: ListedBase): number {
  // 1970-01-01 was a Thursday.
  return Math.floor((startedAt.getTime() / dayMs + 3) / 7)
}

function toMonth({ startedAt }: ListedBase): number {
  return startedAt.getUTCFullYear() * 12 + startedAt.getUTCMonth()
}

/** The last one of each period, the newest periods first. */
function lastOfEach(bases: readonly ListedBase[], toPeriod: (base: ListedBase) => number): ListedBase[] {
  return [...new Map(bases.map((base) => [toPeriod(base), base])).values()].toReversed()
}

/**
 * Which bases are kept: those of seven days and the one before, one of each of five weeks, and one of each of thirteen months.
 * And all that are newer than the last one that was checked.
 *
 * @param bases in the order in which they were taken
 */
export function selectKept(bases: readonly ListedBase[], checked: ReadonlySet<string>, nowMs: number): Kept {
  const wholeFromMs = nowMs - wholeMs
  const beforeWhole = bases.findLastIndex(({ startedAt }) => startedAt.getTime() <= wholeFromMs)
  const lastChecked = bases.findLastIndex(({ name }) => checked.has(name))
  const first = Math.max(0, Math.min(beforeWhole, lastChecked))
  const kept = new Set([
    ...bases.slice(first),
    ...lastOfEach(bases, toWeek).slice(0, weeksKept),
    ...lastOfEach(bases, toMonth).slice(0, monthsKept),
  ])
  return { bases: bases.filter((base) => kept.has(base)), whole: bases[first] }
}
