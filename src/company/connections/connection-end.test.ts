import { expect, test } from 'vitest'
import { connectionEndDate, connectionEndMs } from './connection-end.ts'

const zone = 'Europe/Stockholm'
const at = (text: string) => Date.parse(text)

test('the year runs from the signing, to the minute', () => {
  const end = connectionEndDate(at('2026-03-10T09:00:00Z'), zone)
  expect(end).toBe('2027-03-10')
  expect(connectionEndMs(at('2026-03-10T09:04:00Z'), end, zone)).toBe(at('2027-03-10T09:04:00Z'))
})

test('the date is the one in the company’s zone', () => {
  expect(connectionEndDate(at('2026-03-10T23:30:00Z'), zone)).toBe('2027-03-11')
})

test('read before midnight and signed after it, it ends on the date that was signed', () => {
  const end = connectionEndDate(at('2026-03-10T22:59:00Z'), zone)
  expect(end).toBe('2027-03-10')
  expect(connectionEndMs(at('2026-03-10T23:05:00Z'), end, zone)).toBe(at('2027-03-10T23:00:00Z'))
})

test('a year from a leap day is 28 February', () => {
  expect(connectionEndDate(at('2028-02-29T12:00:00Z'), zone)).toBe('2029-02-28')
})
