import { useCallback } from 'react'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { useNames } from './names.ts'
import type { Report } from './report-queries.ts'
import type { ShownSeries } from './shown-series.ts'

/** What a series is called. The same function until the label or the language is another. */
export function useSeriesName({ by }: Pick<Report, 'by'>): (series: ShownSeries) => string {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  return useCallback(
    ({ key, kind, labelValues }) =>
      kind === 'other'
        ? t('other', { count: labelValues, number: format.count(labelValues) })
        : key === null
          ? t('all')
          : names.value(by ?? '', key),
    [t, format, names, by],
  )
}
