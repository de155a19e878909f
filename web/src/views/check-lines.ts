import type { ReportCard } from '../company/report-list.ts'
import { type Line, linesMax, sumOperandsMax } from '../saved-views/line-text.ts'

/** How ticked metrics become lines. */
export type How = 'together' | 'side' | 'divided'

export type BuiltLine = Line<ReportCard>

/** The lines that ticked metrics make. */
export function buildLines(
  how: How,
  ticked: readonly ReportCard[],
  divisors: readonly ReportCard[],
): BuiltLine[] {
  if (ticked.length === 0) return []
  if (how === 'side') return ticked.map((card) => ({ numerator: [card], denominator: null }))
  return [{ numerator: ticked, denominator: how === 'divided' ? divisors : null }]
}

/** The periods that a metric may be read by. */
function listGrains({ period, combines }: ReportCard): string[] {
  return period === 'day' && combines !== null ? ['day', 'week', 'month'] : [period]
}

export type LineFault = 'none' | 'noDenominator' | 'units' | 'adds' | 'label' | 'grain' | 'tooMany'

function findSumFault(sum: readonly ReportCard[]): LineFault | undefined {
  if (sum.length > sumOperandsMax) return 'tooMany'
  if (sum.some(({ total }) => !total)) return 'label'
  if (new Set(sum.map(({ unit }) => unit)).size > 1) return 'units'
  return sum.length > 1 && sum.some(({ combines }) => combines !== 'sum') ? 'adds' : undefined
}

/** Why the service would refuse lines, so that the page can say it first. */
export function findLineFault(lines: readonly BuiltLine[]): LineFault | undefined {
  if (lines.length === 0) return 'none'
  if (lines.length > linesMax) return 'tooMany'
  if (lines.some(({ denominator }) => denominator?.length === 0)) return 'noDenominator'
  const sums = lines.flatMap(({ numerator, denominator }) => [numerator, denominator ?? []])
  const fault = sums.map(findSumFault).find((found) => found !== undefined)
  if (fault !== undefined) return fault
  const listed = sums.flat().map(listGrains)
  return listed[0]!.some((grain) => listed.every((some) => some.includes(grain))) ? undefined : 'grain'
}
