import { expect, test } from 'vitest'
import { toBaseName } from './layout.ts'
import { selectKept } from './retention.ts'

const dayMs = 24 * 3_600_000
const nowMs = Date.parse('2026-11-24T12:00:00Z')

/** A base a day. */
const takeDaily = (days: number) =>
  Array.from({ length: days }, (_, index) => {
    const startedAt = new Date(nowMs - (days - 1 - index) * dayMs - 3_600_000)
    return { name: toBaseName(startedAt), startedAt }
  })

const toDays = (bases: { startedAt: Date }[]): string[] =>
  bases.map(({ startedAt }) => startedAt.toISOString().slice(0, 10))

test('after two years there are seven whole days, five weeks and thirteen months', () => {
  const bases = takeDaily(730)
  const { bases: kept, whole } = selectKept(bases, new Set(bases.map(({ name }) => name)), nowMs)
  expect(whole!.startedAt.getTime()).toBeLessThanOrEqual(nowMs - 7 * dayMs)
  expect(toDays(kept)).toEqual([
    '2025-11-30',
    '2025-12-31',
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-08',
    '2026-11-15',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
    '2026-11-24',
  ])
})

test('nothing newer than the last base that was checked is given up, nor that one', () => {
  const bases = takeDaily(60)
  const checked = bases[20]!
  const { bases: kept, whole } = selectKept(bases, new Set([checked.name]), nowMs)
  expect(whole).toBe(checked)
  expect(kept.slice(-40)).toEqual(bases.slice(20))
  expect(selectKept(bases, new Set(), nowMs).bases).toEqual(bases)
})
