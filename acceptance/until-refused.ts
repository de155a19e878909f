import type { Answer } from '../testing/process/call.ts'

/** The answers to calls beyond a rate. */
export interface Refusals {
  passed: Answer[]
  /** All with 429. */
  refused: Answer[]
  /** The duration, in whole seconds: with a rate of one a second, at most this many passed in addition to the burst. */
  seconds: number
}

/**
 * Sends bursts of `count`, at most ten, until some calls are refused with 429: on a slow machine the bucket refills in the
 * meantime.
 */
export const untilRefused = async (
  count: number,
  send: (index: number) => Promise<Answer>,
): Promise<Refusals> => {
  const startedMs = performance.now()
  let [passed, refused]: [Answer[], Answer[]] = [[], []]
  for (let rounds = 0; rounds < 10 && refused.length === 0; rounds++) {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)))
    refused = answers.filter(({ status }) => status === 429)
    passed = [...passed, ...answers.filter(({ status }) => status !== 429)]
  }
  return { passed, refused, seconds: Math.ceil((performance.now() - startedMs) / 1_000) }
}
