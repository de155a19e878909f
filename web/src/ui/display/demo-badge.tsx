import { useTranslation } from 'react-i18next'
import { Badge } from './badge.tsx'

export function DemoBadge() {
  const { t } = useTranslation()
  return (
    <span title={t('frame.demoWhat')}>
      <Badge tone="amber">{t('frame.demo')}</Badge>
    </span>
  )
}
