import { bookingRows, orderRows, visitRows } from './fixture-rows.ts'
import type { DemoSource } from './demo-companies.ts'

export interface FixtureDelivery {
  key: string
  payload: Record<string, string>[]
}

const fixtureDays = 365

/** The days before `today` (`YYYY-MM-DD`), a year of them, oldest first. */
function daysBefore(today: string): string[] {
  const last = Temporal.PlainDate.from(today)
  return Array.from({ length: fixtureDays }, (_, index) =>
    last.subtract({ days: fixtureDays - index }).toString(),
  )
}

/**
 * A year of deliveries up to the day before `today`. Each has the day in its key and is the same whenever it is
 * made, so that starting the demo again sends only the days that have passed since.
 */
export function fixtureDeliveries(
  fixture: NonNullable<DemoSource['fixture']>,
  today: string,
): FixtureDelivery[] {
  const days = daysBefore(today)
  if (fixture === 'orders') return days.map((day) => ({ key: `demo:${day}`, payload: orderRows(day) }))
  if (fixture === 'visits') return days.map((day) => ({ key: `demo:${day}`, payload: visitRows(day) }))
  // A ledger's statement holds its month from the first day on. It comes on Sundays and at the month's end, so
  // that months are restated as they go.
  return days.flatMap((day) => {
    const date = Temporal.PlainDate.from(day)
    if (date.dayOfWeek !== 7 && date.day !== date.daysInMonth) return []
    const month = Array.from({ length: date.day }, (_, index) => date.with({ day: index + 1 }).toString())
    return [{ key: `demo:${day}`, payload: month.flatMap(bookingRows) }]
  })
}
