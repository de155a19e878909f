import type { SheetReport } from '../../company/links/link.ts'
import { dateOfDay, dayNumber } from '../../formats/values/calendar.ts'
import { formatDay } from '../../formats/values/period.ts'

/** The days of a live spreadsheet, from the first to the one after the last; the pages compute the same (`web/src/reports/range.ts`). */
export function toDays(
  { range, from, to }: Pick<SheetReport, 'range' | 'from' | 'to'>,
  today: number,
): { from?: string; to?: string } {
  if (range === undefined)
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const { year, month } = dateOfDay(today)
  if (range === 'last-year')
    return { from: formatDay(dayNumber(year - 1, 1, 1)), to: formatDay(dayNumber(year, 1, 1)) }
  const monthsBefore = (months: number): number => {
    const all = year * 12 + month - 1 - months
    return dayNumber(Math.floor(all / 12), (all % 12) + 1, 1)
  }
  const first = {
    '30d': today - 29,
    '90d': today - 89,
    '12m': monthsBefore(11),
    '24m': monthsBefore(23),
    year: dayNumber(year, 1, 1),
  }[range]
  return { from: formatDay(first), to: formatDay(today + 1) }
}
