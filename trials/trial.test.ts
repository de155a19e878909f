import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'
import { documentText } from './report.ts'
import { type Course, hasHeld, runTrial, Skipped, type Trial } from './trial.ts'

const trialOf = (run: (course: Course) => Promise<void>): Trial => ({
  name: 'made-up',
  about: 'Nothing is done.',
  minutes: 0,
  invariants: ['water is wet'],
  run,
})
const draw = (seed: number, stream: string): string => seededRandom(seed, stream).word(20)
const short = { seed: 1, short: true }

test('a trial whose invariants all held has held, and tells how often', async () => {
  const report = await runTrial(
    trialOf(async (course) => {
      course.inject('rain', 3)
      course.check('water is wet', true, '')
    }),
    short,
  )
  expect(hasHeld(report)).toBe(true)
  expect(documentText([report])).toContain('| rain | 3 |')
  expect(documentText([report])).toContain('everything held')
})

test('an invariant that was not checked counts as broken', async () => {
  const report = await runTrial(
    trialOf(async () => {}),
    short,
  )
  expect(hasHeld(report)).toBe(false)
  expect(documentText([report])).toContain('**not held:** made-up')
})

test('a trial that fails is told as broken, and what it started is ended', async () => {
  let ended = false
  const report = await runTrial(
    trialOf(async (course) => {
      course.use({ [Symbol.dispose]: () => void (ended = true) })
      course.check('water is wet', true, '')
      throw new Error('the river ran dry')
    }),
    short,
  )
  expect(hasHeld(report)).toBe(false)
  expect(report.held.at(-1)?.examples.join()).toContain('the river ran dry')
  expect(ended).toBe(true)
})

test('a trial that this machine cannot run is told so, with the reason', async () => {
  const report = await runTrial(
    trialOf(async () => {
      throw new Skipped('there is no rain here')
    }),
    short,
  )
  expect(documentText([report])).toContain('Not run: there is no rain here.')
})

test('the same seed and stream draw the same, another stream does not', () => {
  expect(draw(1, 'a')).toBe(draw(1, 'a'))
  expect(draw(1, 'b')).not.toBe(draw(1, 'a'))
  expect(draw(2, 'a')).not.toBe(draw(1, 'a'))
})
