import { expect, test } from 'vitest'
import { compareSegments, listSegments, parseHistory, toBaseName, toNewestTimeline } from './layout.ts'

test('segments follow each other over the end of a logical log file', () => {
  const listed = [...listSegments('0000000100000000000000FE', '000000010000000100000001', [])]
  expect(listed).toEqual([
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
    '000000010000000100000001',
  ])
  expect(listed.toSorted(compareSegments)).toEqual(listed)
})

test('segments follow a restored copy onto its timeline, in the segment where it began', () => {
  // 0/5000148 is in the sixth segment.
  const history = parseHistory('1\t0/5000148\tbefore 2026-11-24 10:00:00+00\n\n')
  expect([...listSegments('000000010000000000000003', '000000020000000000000006', history)]).toEqual([
    '000000010000000000000003',
    '000000010000000000000004',
    '000000020000000000000005',
    '000000020000000000000006',
  ])
})

test('a base that was taken after its timeline was left leads to no newer one', () => {
  const timelines = new Map([
    [2, parseHistory('1\t0/5000148\tno recovery target specified')],
    [3, parseHistory('1\t0/5000148\tx\n2\t0/9000000\tx')],
  ])
  expect(toNewestTimeline('000000010000000000000004', timelines)).toBe(3)
  expect(toNewestTimeline('000000010000000000000007', timelines)).toBe(1)
  expect(toNewestTimeline('000000020000000000000008', timelines)).toBe(3)
})

test('names of bases sort by time', () => {
  expect(toBaseName(new Date('2026-11-24T10:00:00.005Z'))).toBe('20261124T100000005Z.base')
})
