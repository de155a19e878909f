import { keepCalling, type Outcome, quantile, told } from './calls.ts'
import type { Course } from './trial.ts'

const neighbourServed = 'a neighbour is never refused'
const neighbourQuick = "a neighbour's p99 stays within twice its quiet p99"

export const neighbourInvariants = [neighbourServed, neighbourQuick] as const

/** Below this a p99 says more about the machine than about the service, in milliseconds. A test has others beside it. */
const p99MsMin = { short: 750, long: 100 }

/** Another company, at work beside what is done to the service. */
export interface Neighbour {
  /** Works for so long, and gives its p99 in milliseconds. */
  work(ms: number): Promise<number>
  /** The same, checked against what it was in quiet. */
  workThrough(fault: string, quietMs: number, until: Promise<unknown>): Promise<void>
}

/** `one` is one of its calls, which must give 200 or 202; `clients` of them at a time, with a pause between. */
export const createNeighbour = (
  course: Course,
  name: string,
  rhythm: { clients: number; pauseMs: number },
  one: () => Promise<Outcome>,
): Neighbour => {
  const worst = new Map<string, number>()
  const workUntil = async (until: Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    const working = course.use(
      keepCalling(rhythm.clients, rhythm.pauseMs, async () => {
        const outcome = await one()
        times.push(outcome.ms)
        course.check(
          neighbourServed,
          outcome.status === 200 || outcome.status === 202,
          `${name}: ${told(outcome)}`,
        )
      }),
    )
    await until
    await working.stop()
    return times
  }
  return {
    work: async (ms) => {
      const times = await workUntil(course.sleep(ms))
      course.figure(`calls of ${name} in quiet`, times.length)
      return quantile(times, 0.99)
    },
    workThrough: async (fault, quietMs, until) => {
      const p99Ms = quantile(await workUntil(until), 0.99)
      const boundMs = Math.max(2 * quietMs, course.short ? p99MsMin.short : p99MsMin.long)
      worst.set(fault, Math.max(p99Ms, worst.get(fault) ?? 0))
      const [quiet, loud] = [quietMs, worst.get(fault)!].map(Math.round)
      course.figure(`p99 of ${name}, ms: quiet; ${fault}`, `${quiet}; ${loud}`)
      course.check(neighbourQuick, p99Ms <= boundMs, `${name}, ${fault}: ${Math.round(p99Ms)} ms`)
    },
  }
}
