import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { isolate } from '../../language/isolate.ts'
import type { DeliveryRows } from '../delivery-queries.ts'
import { correctValue } from './correct-value.ts'

export type RowsField = DeliveryRows['fields'][number]
export type ShownRow = DeliveryRows['rows'][number]

/** Why a refused row does not count and what to do about it, in the page's language. */
export function useRefusal({ refusal, values }: ShownRow, fields: readonly RowsField[]) {
  const { t } = useTranslation('deliveries')
  const { time_zone } = useCompany()
  const { code, field } = refusal!
  const at = fields.findIndex(({ name }) => name === field)
  const value = values?.[at] ?? undefined
  const meant = correctValue(code, value, time_zone)
  const send = code === 'number_malformed' ? 'rows.sendNumber' : 'rows.send'
  return {
    field,
    /** Undefined where the whole row is refused, or the value is missing. */
    value,
    cause: t(`refusal.${code}.cause`, { field: isolate(field ?? '') }),
    advice: t(meant === undefined ? `refusal.${code}.fix` : send),
    /** What was most likely meant, in the service's notation; it follows the advice. */
    meant,
  }
}
