import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'
import { writeDocument } from './report.ts'
import { type TrialContext, hasPassed, runTrial, Skipped, type Trial } from './trial.ts'

const createTrial = (run: (context: TrialContext) => Promise<void>): Trial => ({
  name: 'made-up',
  about: 'Nothing is done.',
  minutes: 0,
  invariants: ['water is wet'],
  run,
})
const draw = (seed: number, stream: string): string => seededRandom(seed, stream).word(20)
const short = { seed: 1, short: true }

test('a trial passes if no invariant was broken, and counts its faults', async () => {
  const report = await runTrial(
    createTrial(async (context) => {
      context.inject('rain', 3)
      context.check('water is wet', true, '')
    }),
    short,
  )
  expect(hasPassed(report)).toBe(true)
  expect(writeDocument([report])).toContain('| rain | 3 |')
  expect(writeDocument([report])).toContain('no invariant was broken')
})

test('an invariant that was not checked counts as broken', async () => {
  const report = await runTrial(
    createTrial(async () => {}),
    short,
  )
  expect(hasPassed(report)).toBe(false)
  expect(writeDocument([report])).toContain('**broken:** made-up')
})

test('a trial that throws is broken, and its resources are disposed of', async () => {
  let ended = false
  const report = await runTrial(
    createTrial(async (context) => {
      context.use({ [Symbol.dispose]: () => void (ended = true) })
      context.check('water is wet', true, '')
      throw new Error('the river ran dry')
    }),
    short,
  )
  expect(hasPassed(report)).toBe(false)
  expect(report.invariants.at(-1)?.examples.join()).toContain('the river ran dry')
  expect(ended).toBe(true)
})

test('a trial that this machine cannot run is reported with the reason', async () => {
  const report = await runTrial(
    createTrial(async () => {
      throw new Skipped('there is no rain here')
    }),
    short,
  )
  expect(writeDocument([report])).toContain('Not run: there is no rain here.')
})

test('the same seed and stream draw the same, another stream does not', () => {
  expect(draw(1, 'a')).toBe(draw(1, 'a'))
  expect(draw(1, 'b')).not.toBe(draw(1, 'a'))
  expect(draw(2, 'a')).not.toBe(draw(1, 'a'))
})
