import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Card } from '../ui/layout/card.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'

type CompanyApp = ApiResponse<'GET /console/companies/{company_id}/apps'>['apps'][number]

/** The apps that read the company, and for which members. */
export function CompanyApps() {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const columns = useColumns()
  const list = usePages(companyKey(company_id, 'apps'), (query) =>
    callApi('GET /console/companies/{company_id}/apps', { path: { company_id }, query }),
  )
  const title = t('apps.title', { company: isolate(name) })
  return (
    <>
      <Loaded query={list}>
        {({ pages }) => {
          const apps = pages.flatMap(({ apps }) => apps)
          if (apps.length === 0) return <Empty title={t('apps.none')}>{t('apps.noneText')}</Empty>
          return (
            <Card>
              <Section title={title} line={t('apps.line')} />
              <Table
                caption={title}
                columns={columns}
                rows={apps}
                rowKey={({ connection_id }) => connection_id}
                tall
              />
            </Card>
          )
        }}
      </Loaded>
      <More list={list} />
    </>
  )
}

function useColumns(): Column<CompanyApp>[] {
  const { t } = useTranslation('members')
  const format = useFormat()
  const now = useNow()
  const day = (instant: string): string => format.day(format.today(Date.parse(instant)))
  return [
    {
      key: 'app',
      head: t('apps.app'),
      render: ({ client_name, redirect_host }) => (
        <>
          <b>
            <bdi>{client_name}</bdi>
          </b>
          <Second>
            <bdi>{redirect_host}</bdi>
          </Second>
        </>
      ),
      compare: (a, b) => a.client_name.localeCompare(b.client_name),
    },
    {
      key: 'member',
      head: t('apps.member'),
      render: ({ member, every_company }) => (
        <>
          <bdi>{member.name}</bdi>
          {every_company && <Second>{t('apps.every')}</Second>}
        </>
      ),
      compare: (a, b) => (a.member.name ?? '').localeCompare(b.member.name ?? ''),
    },
    {
      key: 'sees',
      head: t('apps.sees'),
      render: ({ permissions }) => permissions.map((permission) => t(`permission.${permission}`)).join(', '),
      wideOnly: true,
    },
    {
      key: 'since',
      head: t('apps.since'),
      render: ({ consented_at }) => day(consented_at),
      wideOnly: true,
    },
    {
      key: 'ends',
      head: t('apps.ends'),
      render: ({ expires_at }) => day(expires_at),
      wideOnly: true,
    },
    {
      key: 'last',
      head: t('apps.lastCall'),
      render: ({ last_called_at: last }) =>
        last === null ? <span className="quiet">{t('apps.never')}</span> : format.near(last, now),
    },
  ]
}
