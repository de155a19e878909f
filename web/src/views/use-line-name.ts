import { useNames } from '../reports/names.ts'
import type { Line, Operand } from '../saved-views/line-text.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'

interface NamedOperand extends Operand {
  source_name: string
  name: string
}

/** With more sources their number is given. */
const namedSourcesMax = 3

/** Names lines by their metrics and sources, such as “Revenue (Shop + Ledger) ÷ Active users (App)”. */
export function useLineName() {
  const t = useTexts('views')
  const names = useNames()
  const nameSum = (sum: readonly NamedOperand[]): string => {
    const byMetric = Map.groupBy(sum, ({ metric }) => metric)
    const parts = [...byMetric].map(([metric, operands]) => {
      const sources = operands.map(({ source_name }) => isolate(source_name))
      const count = sources.length
      const listed = count > namedSourcesMax ? t('several', { count }) : sources.join(' + ')
      return `${names.metric(metric, operands[0]!.name)} (${listed})`
    })
    return parts.join(' + ')
  }
  return ({ numerator, denominator }: Line<NamedOperand>): string =>
    [numerator, denominator ?? []]
      .filter((sum) => sum.length > 0)
      .map(nameSum)
      .join(' ÷ ')
}
