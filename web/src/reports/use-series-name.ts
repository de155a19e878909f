import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { useNames } from './names.ts'
import type { Report } from './report-queries.ts'
import type { ShownSeries } from './shown-series.ts'

/** What a series is called. */
export function useSeriesName({ by }: Pick<Report, 'by'>): (series: ShownSeries) => string {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const names = useNames()
  return ({ key, kind, labelValues }) =>
    kind === 'other'
      ? t('other', { count: labelValues, number: format.count(labelValues) })
      : key === null
        ? t('all')
        : names.value(by ?? '', key)
}
