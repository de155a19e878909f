import { useTranslation } from 'react-i18next'
import { Note } from '../ui/note.tsx'

/** What the person can do something about; any other reason is shown in the provider's own word. */
const known = ['refused', 'expired', 'other_person'] as const
/** Cancelled or collected elsewhere: by the same person in another window, most likely. */
const over = new Set(['ended', 'used', 'not_found'])

/** Why an order at the electronic identity failed. One's own refusal is no fault, and looks like none. */
export function FailedOrder({ title, reason }: { title: string; reason: string }) {
  const { t } = useTranslation()
  const own = known.find((word) => word === reason)
  const sentence = over.has(reason)
    ? t('identity.reason.over')
    : own === undefined
      ? t('identity.reason.other', { reason })
      : t(`identity.reason.${own}`)
  return (
    <Note tone={reason === 'refused' ? 'neutral' : 'red'} role="alert" title={title}>
      {sentence}
    </Note>
  )
}
