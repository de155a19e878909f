import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { LeaveCompany } from '../company/leave-company.tsx'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/en/companies.ts'
import { sv } from '../language/sv/companies.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Badge } from '../ui/display/badge.tsx'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Below } from '../ui/layout/below.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Menu, MenuLink } from '../ui/overlays/popover.tsx'
import { type Column, RowLink, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'
import { type OwnCompany, ownCompaniesQuery } from '../company/own-companies.ts'
import { CreateCompany } from './create-company.tsx'

addTexts('companies', { en, sv })

/** Where people begin (`/`): the reports of their only company, else the page of all. */
export function StartPage() {
  const { companies } = useMember()
  const [only] = companies
  if (companies.length === 1 && only !== undefined) {
    return <Navigate to="/companies/$companyId/reports" params={{ companyId: only.company_id }} replace />
  }
  return <CompaniesPage />
}

/** The member's companies, or how to be invited (`/companies`). */
export function CompaniesPage() {
  const { companies } = useMember()
  return companies.length === 0 ? <NoCompany /> : <CompanyList companies={companies} />
}

/** A company of the session, and what is loaded later. */
type Row = Company & Partial<Pick<OwnCompany, 'late_sources' | 'last_received_at'>>

function CompanyList({ companies }: { companies: Company[] }) {
  const { t } = useTranslation('companies')
  const { identity, member_id } = useMember()
  const { data: fresh = [], isPending } = useQuery(ownCompaniesQuery(member_id))
  const rows = companies.map((company): Row => {
    const found = fresh.find(({ company_id }) => company_id === company.company_id)
    return { ...company, ...(found !== undefined && found) }
  })
  return (
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      {/* Columns are as wide as what they say: they would move with what comes a moment later. */}
      <Below isReady={!isPending}>
        <Card>
          <Table
            caption={t('title')}
            columns={useColumns()}
            rows={rows}
            rowKey={({ company_id }) => company_id}
            tall
            linked
          />
        </Card>
        {identity.demo && <CreateCompany />}
      </Below>
      <AskedToLeave companies={companies} />
    </Page>
  )
}

/** The dialog that the address opens. */
function AskedToLeave({ companies }: { companies: Company[] }) {
  const { leave } = useSearch({ strict: false })
  const navigate = useNavigate()
  const company = companies.find(({ company_id }) => company_id === leave)
  if (company === undefined) return null
  return (
    <LeaveCompany
      key={company.company_id}
      company={company}
      onClose={() => void navigate({ to: '/companies', replace: true })}
    />
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation(['companies', 'translation'])
  return [
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
    {
      key: 'last',
      head: t('last'),
      render: (company) => <Freshness company={company} />,
      compare: (a, b) => (a.last_received_at ?? '').localeCompare(b.last_received_at ?? ''),
    },
    {
      key: 'role',
      head: t('role'),
      render: ({ role }) => t(`translation:role.${role}`),
      compare: (a, b) => a.role.localeCompare(b.role),
      wideOnly: true,
    },
    {
      key: 'menu',
      head: <span className="unseen">{t('menu.head')}</span>,
      render: ({ company_id, name }) => (
        <Menu label={t('menu.label', { company: isolate(name) })}>
          <MenuLink to="/companies" search={{ leave: company_id }} replace>
            {t('menu.leave')}
          </MenuLink>
        </Menu>
      ),
      end: true,
    },
  ]
}

/** When its last numbers arrived, and which sources are late. */
function Freshness({ company: { late_sources, last_received_at } }: { company: Row }) {
  const { t } = useTranslation('companies')
  const format = useFormat()
  const now = useNow()
  // Not loaded yet.
  if (late_sources === undefined || late_sources === null) return null
  const last =
    last_received_at == null ? (
      <span className="quiet">{t('noDelivery')}</span>
    ) : (
      format.near(last_received_at, now)
    )
  if (late_sources === 0) return last
  return (
    <>
      <Badge tone="amber" icon="clock">
        {t('late', { count: late_sources })}
      </Badge>
      <Second>{last}</Second>
    </>
  )
}

function NoCompany() {
  const { t } = useTranslation('companies')
  const client = useQueryClient()
  const { identity } = useMember()
  return (
    <Page width="form">
      <PageHead title={t('title')} />
      {identity.demo && <CreateCompany />}
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
