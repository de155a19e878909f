import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown wherever the demo's electronic identity is used. */
export function DemoMark() {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" title={t('identity.demo')} role="note">
      {t('identity.demoText')}
    </Alert>
  )
}
