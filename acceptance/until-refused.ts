import type { Answer } from '../testing/process/call.ts'

/** What came of so many calls that some were refused. */
export interface Refusals {
  passed: Answer[]
  /** With 429, all of them. */
  refused: Answer[]
  /** How long it took, in whole seconds: of a rate of one a second at most so many passed besides its burst. */
  seconds: number
}

/**
 * Sends bursts of `count` until some are refused with 429: on a slow machine the bucket refills while they are sent. Ten
 * bursts at most.
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
