import { useTranslation } from 'react-i18next'
import type { ApiResponse } from '../api/call-api.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/remarks.ts'
import { sv } from '../language/sv/remarks.ts'
import { Note } from '../ui/feedback/note.tsx'
import { useFormat } from './use-format.ts'
import { useMetricName } from './use-known-metrics.ts'

addTexts('remarks', { en, sv })

type DeliveryInFull = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>
type MissingValue = NonNullable<DeliveryInFull['missing_values']>[number]
/** What the service remarks on accepted rows; a list of deliveries does not say which ones are dated far ahead. */
type DeliveryRemarks = Pick<DeliveryInFull, 'missing_values' | 'rows_far_ahead'> &
  Partial<Pick<DeliveryInFull, 'far_ahead'>>

/**
 * Whether a list should mark a delivery. A field that only some rows have may be normal for a metric; one that every row lacks, or
 * whose name is nearly that of a dropped key, is probably a mistake.
 */
export function hasRemarks({
  missing_values,
  rows_far_ahead,
  rows_accepted,
}: DeliveryRemarks & Pick<DeliveryInFull, 'rows_accepted'>): boolean {
  const isMistake = ({ rows, similar_dropped_key }: MissingValue): boolean =>
    rows === rows_accepted || similar_dropped_key !== undefined
  return (missing_values ?? []).some(isMistake) || (rows_far_ahead ?? 0) > 0
}

/** The remarks of several deliveries as those of one, without the rows of each. */
export function sumRemarks(deliveries: readonly DeliveryRemarks[]): DeliveryRemarks {
  if (deliveries.length === 1) return deliveries[0]!
  const missing = new Map<string, MissingValue>()
  let ahead = 0
  for (const { missing_values, rows_far_ahead } of deliveries) {
    ahead += rows_far_ahead ?? 0
    for (const each of missing_values ?? []) {
      const key = `${each.metric} ${each.field}`
      missing.set(key, { ...each, rows: each.rows + (missing.get(key)?.rows ?? 0) })
    }
  }
  return { missing_values: [...missing.values()], rows_far_ahead: ahead }
}

/** What the source sends now, which decides what to do about a stored delivery; undefined for a preview. */
type Delivers = DeliveryInFull['delivers'] | undefined

/** A note for each metric and field with missing values, and one for rows dated far ahead. */
export function Remarks({ remarks, delivers }: { remarks: DeliveryRemarks; delivers?: Delivers }) {
  const { missing_values, rows_far_ahead, far_ahead = [] } = remarks
  return (
    <>
      {missing_values?.map((missing) => (
        <Missing key={`${missing.metric} ${missing.field}`} missing={missing} delivers={delivers} />
      ))}
      {(rows_far_ahead ?? 0) > 0 && <FarAhead rows={rows_far_ahead!} first={far_ahead} delivers={delivers} />}
    </>
  )
}

function Missing({ missing, delivers }: { missing: MissingValue; delivers: Delivers }) {
  const { t } = useTranslation('remarks')
  const format = useFormat()
  const nameMetric = useMetricName()
  const { rows, similar_dropped_key: key } = missing
  const field = isolate(missing.field)
  const sentences = [
    key !== undefined && t('similar', { key: isolate(key), field }),
    delivers && t(`missingAdvice.${delivers}`),
  ]
  const title = t('missing', {
    count: rows,
    metric: nameMetric(missing.metric),
    rows: format.count(rows),
    field,
  })
  return (
    <Note tone="amber" icon="warning" title={title}>
      {sentences.filter(Boolean).join(' ')}
    </Note>
  )
}

interface FarAheadProps {
  rows: number
  first: DeliveryInFull['far_ahead']
  delivers: Delivers
}

function FarAhead({ rows, first, delivers }: FarAheadProps) {
  const { t } = useTranslation('remarks')
  const format = useFormat()
  const named = first.map(({ row, day }) => {
    return format.count(row) + (day === undefined ? '' : ` (${format.day(day)})`)
  })
  const more = rows - first.length
  const list = named.join(', ') + (more > 0 ? ` ${t('aheadMore', { rows: format.count(more) })}` : '')
  const sentences = [
    named.length > 0 && t('aheadRows', { count: rows, rows: list }),
    delivers && t(`aheadAdvice.${delivers}`),
  ]
  return (
    <Note tone="amber" icon="warning" title={t('ahead', { count: rows, rows: format.count(rows) })}>
      {sentences.filter(Boolean).join(' ')}
    </Note>
  )
}
