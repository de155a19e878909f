import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ApiResponse, renewFromApi, type Tagged } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { renewedEveryMs } from '../company/report-list.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useLanguage, useTexts } from '../language/language.ts'
import type { Report } from './report-queries.ts'
import type { ShownSeries } from './shown-series.ts'

const listLabelNames = 'GET /console/companies/{company_id}/label-names'

type LabelNamesList = ApiResponse<typeof listLabelNames>
/** What the company calls the values of a label. */
export type LabelNames = LabelNamesList['labels'][number]

/** For every role. Without it, pages show the values themselves. */
export function labelNamesQuery(company_id: string) {
  const queryKey = companyKey(company_id, 'label-names')
  return queryOptions({
    queryKey,
    queryFn: ({ client }) =>
      renewFromApi(
        listLabelNames,
        { path: { company_id } },
        client.getQueryData<Tagged<LabelNamesList>>(queryKey),
      ),
    staleTime: renewedEveryMs,
  })
}

/** Whether names may still come with the first answer. */
export function useAwaitsNames(): boolean {
  const { isPending, failureCount } = useQuery(labelNamesQuery(useCompany().company_id))
  return isPending && failureCount === 0
}

/** By label and value. */
function toNames({ answer: { labels } }: Tagged<LabelNamesList>) {
  return new Map(
    labels.map(({ label, names }) => [label, new Map(names.map(({ value, name }) => [value, name]))]),
  )
}

/** Names a value of a label, such as “Sweden (SE)”. The same function until the names or the language change. */
export function useValueName(): (label: string, value: string) => string {
  const t = useTexts('reports')
  const { data: names } = useQuery({ ...labelNamesQuery(useCompany().company_id), select: toNames })
  return useCallback(
    (label, value) => {
      // Rows without a label have an empty value.
      if (value === '') return t('withoutLabel', { label: isolate(label) })
      const name = names?.get(label)?.get(value)
      return name === undefined ? value : `${name} (${value})`
    },
    [t, names],
  )
}

/** Names values of a label and sorts them by their names. */
export function useNamedValues() {
  const nameValue = useValueName()
  const language = useLanguage()
  return (label: string, values: readonly string[]) =>
    values
      .map((value) => ({ value, name: nameValue(label, value) }))
      .toSorted((a, b) => a.name.localeCompare(b.name, language, { numeric: true }))
}

/** Names a series. The same function until the label, the names or the language change. */
export function useSeriesName({ by }: Pick<Report, 'by'>): (series: ShownSeries) => string {
  const t = useTexts('reports')
  const format = useFormat()
  const nameValue = useValueName()
  return useCallback(
    ({ key, kind, labelValues: count }) => {
      if (kind === 'other') return t('other', { count, number: format.count(count) })
      return key === null ? t('all') : nameValue(by ?? '', key)
    },
    [t, format, nameValue, by],
  )
}
