import { expect, test } from 'vitest'
import { runTrial, type Trial } from './trial.ts'

const seed = 7

/** Runs each trial in its short form as a test. */
export const testInShort = (trials: readonly Trial[]): void => {
  for (const trial of trials) {
    test(`${trial.name}: its invariants hold`, async ({ skip }) => {
      const report = await runTrial(trial, { seed, short: true })
      // Such as a missing permission to mount a small disk.
      if (report.skipped !== undefined) skip(report.skipped)
      const broken = report.invariants.filter((each) => each.broken > 0)
      expect(broken.map(({ invariant, examples }) => ({ invariant, examples }))).toEqual([])
    })
  }
}
