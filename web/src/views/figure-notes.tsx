import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { writeOperand } from '../saved-views/line-text.ts'
import { type CombinedFigure, type CombinedLine, toLineUnit } from '../saved-views/saved-views.ts'

/** A figure, or why there is none. */
export function useFigureText(): (line: CombinedLine, figure: CombinedFigure | null | undefined) => string {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const format = useFormat()
  return (line, figure) => {
    if (figure?.value != null) return format.figure(figure.value, toLineUnit(line))
    if (figure?.reason === 'no_denominator') return t('noDenominator')
    return figure?.reason === 'zero_denominator' ? t('zeroDenominator') : reports('noFigure')
  }
}

/** The exact fraction behind a quotient, and the sources that a sum lacks. */
export function useFigureNotes(): (
  line: CombinedLine,
  figure: CombinedFigure | null | undefined,
) => string[] {
  const t = useTexts('views')
  const format = useFormat()
  return ({ numerator, denominator, unit, denominator_unit }, figure) => {
    if (figure == null) return []
    const operands = [...numerator, ...(denominator ?? [])]
    const missing = operands.filter((operand) => figure.missing.includes(writeOperand(operand)))
    const sources = [...new Set(missing.map(({ source_name }) => isolate(source_name)))].join(', ')
    return [
      figure.numerator !== null && figure.denominator !== null
        ? `${format.figure(figure.numerator, unit)} ÷ ${format.figure(figure.denominator, denominator_unit ?? '')}`
        : '',
      sources === '' ? '' : t('missing', { sources }),
    ].filter((note) => note !== '')
  }
}
