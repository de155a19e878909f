import { callRepeatedly, type Outcome, quantile, describe } from '../deployment/calls.ts'
import type { TrialContext } from '../trial.ts'

const neighbourServed = 'a neighbour is never refused'
const neighbourQuick = "a neighbour's p99 stays within twice its p99 without faults"

export const neighbourInvariants = [neighbourServed, neighbourQuick] as const

/** A lower p99 says more about the machine than about the service. Tests run in parallel with others. */
const p99MsMin = { short: 750, long: 100 }

/** Another company that works during the faults. */
export interface Neighbour {
  /** @returns the p99 in milliseconds */
  work(ms: number): Promise<number>
  /** Measures the p99 during a fault, and in the long form checks it against the one without faults. */
  workThrough(fault: string, quietMs: number, until: Promise<unknown>): Promise<void>
  /** In the short form, checks the p99 of all faults together: one lasts too short a time for more than a hundred calls. */
  checkAll(quietMs: number): void
}

/** @param one a call, which must be answered with 200 or 202 */
export const createNeighbour = (
  context: TrialContext,
  name: string,
  rhythm: { clients: number; pauseMs: number },
  one: () => Promise<Outcome>,
): Neighbour => {
  const worst = new Map<string, number>()
  const all: number[] = []
  const check = (faults: string, quietMs: number, times: number[]): void => {
    const p99Ms = quantile(times, 0.99)
    const boundMs = Math.max(2 * quietMs, context.short ? p99MsMin.short : p99MsMin.long)
    context.check(neighbourQuick, p99Ms <= boundMs, `${name}, ${faults}: ${Math.round(p99Ms)} ms`)
  }
  const workUntil = async (until: Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    const working = context.use(
      callRepeatedly(rhythm.clients, rhythm.pauseMs, async () => {
        const outcome = await one()
        times.push(outcome.ms)
        context.check(
          neighbourServed,
          outcome.status === 200 || outcome.status === 202,
          `${name}: ${describe(outcome)}`,
        )
      }),
    )
    await until
    await working.stop()
    return times
  }
  return {
    work: async (ms) => {
      const times = await workUntil(context.sleep(ms))
      context.measure(`calls of ${name} without faults`, times.length)
      return quantile(times, 0.99)
    },
    workThrough: async (fault, quietMs, until) => {
      const times = await workUntil(until)
      if (context.short) all.push(...times)
      worst.set(fault, Math.max(quantile(times, 0.99), worst.get(fault) ?? 0))
      const [quiet, loud] = [quietMs, worst.get(fault)!].map(Math.round)
      context.measure(`p99 of ${name}, ms: without faults; ${fault}`, `${quiet}; ${loud}`)
      if (!context.short) check(fault, quietMs, times)
    },
    checkAll: (quietMs) => {
      if (!context.short) return
      context.measure(`calls of ${name} during faults`, all.length)
      check('all faults', quietMs, all)
    },
  }
}
