import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Stands wherever the demo's electronic identity is used. */
export const DemoMark = () => {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" title={t('identity.demo')} role="note">
      {t('identity.demoText')}
    </Alert>
  )
}
