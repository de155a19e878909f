import { addDays, type Grain } from '../language/format-day.ts'

/** Whether days from the first one of a period are only a part of it. */
export function isPart(first: string, last: string, grain: Grain): boolean {
  if (grain === 'month') return addDays(last, 1).slice(8) !== '01'
  return grain === 'week' && addDays(first, 6) !== last
}
