import { useTranslation } from 'react-i18next'
import { Note } from '../ui/feedback/note.tsx'

/** Shown wherever the demo's electronic identity is used. */
export function DemoMark() {
  const { t } = useTranslation()
  return (
    <Note tone="amber" icon="warning" title={t('identity.demo')}>
      {t('identity.demoText')}
    </Note>
  )
}
