import { useTranslation } from 'react-i18next'
import type { ApiResponse } from '../api/call-api.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/remarks.en.ts'
import { sv } from '../language/remarks.sv.ts'
import { Note } from '../ui/note.tsx'
import { useFormat } from './use-format.ts'
import { useKnownMetrics } from './use-known-metrics.ts'

addTexts('remarks', { en, sv })

type DeliveryInFull = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>
type MissingValue = NonNullable<DeliveryInFull['missing_values']>[number]
/** What the service points out about accepted rows; a list of deliveries leaves out which ones are dated ahead. */
type RemarksOfDelivery = Pick<DeliveryInFull, 'missing_values' | 'rows_far_ahead'> &
  Partial<Pick<DeliveryInFull, 'far_ahead'>>

/**
 * Whether a list should point at a delivery. A field that some rows lack is usual where a metric counts what is seldom there; one
 * that every row lacks, or whose name is nearly that of a dropped key, is probably a mistake.
 */
export function hasRemarks({
  missing_values,
  rows_far_ahead,
  rows_accepted,
}: RemarksOfDelivery & Pick<DeliveryInFull, 'rows_accepted'>): boolean {
  const isMistake = ({ rows, similar_dropped_key }: MissingValue): boolean =>
    rows === rows_accepted || similar_dropped_key !== undefined
  return (missing_values ?? []).some(isMistake) || (rows_far_ahead ?? 0) > 0
}

/** The remarks of several deliveries as those of one, without the rows of each. */
export function sumRemarks(deliveries: readonly RemarksOfDelivery[]): RemarksOfDelivery {
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

/** How the source delivers now, which decides what to do about a stored delivery; undefined for one that may not be stored. */
type Delivers = DeliveryInFull['delivers'] | undefined

/** A note for each metric and field whose value was missing, and one for rows dated far ahead. */
export function Remarks({ remarks, delivers }: { remarks: RemarksOfDelivery; delivers?: Delivers }) {
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
  const known = useKnownMetrics()
  const { metric, rows, similar_dropped_key: key } = missing
  const name = known.find((each) => each.key === metric)?.name ?? metric
  const field = isolate(missing.field)
  const sentences = [
    key !== undefined && t('similar', { key: isolate(key), field }),
    delivers && t(`missingAdvice.${delivers}`),
  ]
  return (
    <Note
      tone="amber"
      icon="warning"
      title={t('missing', { count: rows, metric: name, rows: format.count(rows), field })}
    >
      {sentences.filter(Boolean).join(' ')}
    </Note>
  )
}

function FarAhead({
  rows,
  first,
  delivers,
}: {
  rows: number
  first: DeliveryInFull['far_ahead']
  delivers: Delivers
}) {
  const { t } = useTranslation('remarks')
  const format = useFormat()
  const named = first.map(({ row, day }) => {
    return format.count(row) + (day === undefined ? '' : ` (${format.day(day)})`)
  })
  const more = rows - first.length
  const list = named.join(', ') + (more > 0 ? ` ${t('aheadMore', { rows: format.count(more) })}` : '')
  return (
    <Note tone="amber" icon="warning" title={t('ahead', { count: rows, rows: format.count(rows) })}>
      {[
        named.length > 0 && t('aheadRows', { count: rows, rows: list }),
        delivers && t(`aheadAdvice.${delivers}`),
      ]
        .filter(Boolean)
        .join(' ')}
    </Note>
  )
}
