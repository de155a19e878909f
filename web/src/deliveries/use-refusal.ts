import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import type { DeliveryRows } from './delivery-queries.ts'
import { mendValue } from './mend-value.ts'

export type ShownRow = DeliveryRows['rows'][number]
export type RowRefusal = NonNullable<ShownRow['refusal']>

/** Why a row does not count, and what to do about it. */
export interface RefusalTexts {
  cause: string
  mend: string
  /** What was most likely meant, as the service reads it; it stands behind `mend`. */
  meant: string | undefined
  /** Whether the day alone will do too. */
  orDate: boolean
}

/** Says of a refused row why it was refused and how to mend it, in the page's language. */
export function useRefusal(): (
  refusal: RowRefusal,
  value: NonNullable<ShownRow['values']>[number] | undefined,
) => RefusalTexts {
  const { t } = useTranslation('deliveries')
  const { time_zone } = useCompany()
  return ({ code, field }, value) => {
    const isWhole = value?.text !== undefined && value.characters === undefined && value.broken !== true
    const meant = isWhole ? mendValue(code, value.text!, time_zone) : undefined
    return {
      cause: t(`refusal.${code}.cause`, { field: isolate(field ?? '') }),
      mend:
        meant === undefined
          ? t(`refusal.${code}.mend`)
          : t(code === 'number_malformed' ? 'rows.sendNumber' : 'rows.send'),
      meant,
      orDate: meant !== undefined && meant.includes('T'),
    }
  }
}
