import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { Path } from '../ui/layout/page-head.tsx'

export function ConnectionPath({ name }: { name: string }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  return (
    <Path>
      <Link to="/companies/$companyId/connections" params={{ companyId: company_id }}>
        {t('title')}
      </Link>
      <bdi>{name}</bdi>
    </Path>
  )
}
