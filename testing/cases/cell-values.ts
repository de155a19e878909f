import { toContributions, toTouched } from './contributions.ts'
import type { AggregateResult } from '../../src/engine/formats/aggregate-result.ts'

/** The result of parsing a delivery with all that it says, as plain values. */
export const cellValues = (result: AggregateResult) => {
  if (result.state !== 'parsed') return result
  const { metrics, ...rest } = result
  return { ...rest, contributions: toContributions(metrics), touched: toTouched(metrics) }
}
