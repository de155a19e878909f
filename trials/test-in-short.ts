import { expect, test } from 'vitest'
import { runTrial, type Trial } from './trial.ts'

const seed = 7

/** A test for each trial, in its short form. */
export const testInShort = (trials: readonly Trial[]): void => {
  for (const trial of trials) {
    test(`what must hold does: ${trial.about}`, async (context) => {
      const report = await runTrial(trial, { seed, short: true })
      // A machine may lack what a trial needs, such as the right to mount a small disk: the trial gives the reason, which is
      // shown. Where it has all, nothing is left out.
      if (report.skipped !== undefined) context.skip(report.skipped)
      const broken = report.held.filter((each) => each.broken > 0)
      expect(broken.map(({ invariant, examples }) => ({ invariant, examples }))).toEqual([])
    })
  }
}
