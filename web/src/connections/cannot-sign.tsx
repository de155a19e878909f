import { useTranslation } from 'react-i18next'
import { useMember } from '../session/member.ts'
import { Note } from '../ui/note.tsx'

/** Before anybody makes a connection that nobody here can sign: that it is so, and why. */
export function CannotSign() {
  const { t } = useTranslation('connections')
  if (useMember().identity.signs) return null
  return (
    <Note tone="amber" icon="signature" title={t('cannotSign.title')}>
      {t('cannotSign.why')}
    </Note>
  )
}
