import { useTranslation } from 'react-i18next'
import { useMember } from '../../session/member.ts'
import { Note } from '../../ui/feedback/note.tsx'

/** Warns where this deployment has no signatures, before anyone creates a connection that would need one. */
export function CannotSign() {
  const { t } = useTranslation('connections')
  if (useMember().identity.signs) return null
  return (
    <Note tone="amber" icon="signature" title={t('cannotSign.title')}>
      {t('cannotSign.why')}
    </Note>
  )
}
