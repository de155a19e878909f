import { Navigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { en } from '../language/companies.en.ts'
import { sv } from '../language/companies.sv.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { RowLink, Second, Table } from '../ui/table.tsx'

addTexts('companies', { en, sv })

/** Where people begin (`/`): the reports of their only company, else a list, else how one is let in. */
export function CompaniesPage() {
  const { companies } = useMember()
  const [only] = companies
  if (companies.length === 1 && only !== undefined) {
    return <Navigate to="/companies/$companyId/reports" params={{ companyId: only.company_id }} replace />
  }
  return companies.length === 0 ? <NoCompany /> : <CompanyList companies={companies} />
}

function CompanyList({ companies }: { companies: Company[] }) {
  const { t } = useTranslation(['companies', 'translation'])
  return (
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      <Card>
        <Table
          caption={t('title')}
          columns={[
            {
              key: 'name',
              head: t('company'),
              render: ({ company_id, name, orgnr }) => (
                <>
                  <RowLink to="/companies/$companyId/reports" params={{ companyId: company_id }}>
                    <bdi>{name}</bdi>
                  </RowLink>
                  <Second>{orgnr}</Second>
                </>
              ),
              compare: (a, b) => a.name.localeCompare(b.name),
            },
            { key: 'role', head: t('role'), render: ({ role }) => t(`translation:role.${role}`) },
          ]}
          rows={companies}
          rowKey={({ company_id }) => company_id}
          tall
          linked
        />
      </Card>
    </Page>
  )
}

function NoCompany() {
  const { t } = useTranslation('companies')
  const client = useQueryClient()
  return (
    <Page width="form">
      <PageHead title={t('title')} />
      <Empty
        title={t('none')}
        actions={
          <Buttons>
            <Button icon="repeat" onClick={() => void renewSession(client)}>
              {t('again')}
            </Button>
          </Buttons>
        }
      >
        <p>{t('noneText')}</p>
      </Empty>
    </Page>
  )
}
