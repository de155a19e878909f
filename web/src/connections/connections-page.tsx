import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { type Connection, connectionsQuery } from '../company/lists.ts'
import { en } from '../language/connections.en.ts'
import { sv } from '../language/connections.sv.ts'
import { addTexts } from '../language/language.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { type Column, RowLink, Second, Table } from '../ui/table.tsx'
import { ConnectionState } from './connection-state.tsx'

addTexts('connections', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/connections')

/** The company's connections (`/companies/{id}/connections`). */
export function ConnectionsPage() {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id))
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={connections}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            <ConnectionTable connections={list} />
          )
        }
      </Loaded>
    </Page>
  )
}

function ConnectionTable({ connections }: { connections: Connection[] }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { sort } = route.useSearch()
  const navigate = useNavigate()
  const columns: Column<Connection>[] = [
    {
      key: 'name',
      head: t('connection'),
      render: ({ connection_id, name, made_by }) => (
        <>
          <RowLink
            to="/companies/$companyId/connections/$connectionId"
            params={{ companyId: company_id, connectionId: connection_id }}
          >
            <bdi>{name}</bdi>
          </RowLink>
          {made_by !== null && (
            <Second>
              <bdi>{made_by.name}</bdi>
              {!made_by.is_member && `, ${t('gone')}`}
            </Second>
          )}
        </>
      ),
      compare: (a, b) => a.name.localeCompare(b.name),
    },
    {
      key: 'state',
      head: t('state'),
      render: (connection) => <ConnectionState connection={connection} />,
      compare: (a, b) => a.state.localeCompare(b.state),
    },
    {
      key: 'may',
      head: t('may'),
      render: (connection) => <May connection={connection} />,
      wideOnly: true,
    },
    {
      key: 'source',
      head: t('source'),
      render: ({ source }) => (source === null ? t('anySource') : <bdi>{source.name}</bdi>),
      wideOnly: true,
    },
  ]
  return (
    <Card>
      <Table
        caption={t('title')}
        columns={columns}
        rows={connections}
        rowKey={({ connection_id }) => connection_id}
        tall
        linked
        sort={sort}
        onSort={(sort) => void navigate({ to: '.', search: { sort }, replace: true })}
      />
    </Card>
  )
}

function May({ connection: { permissions, credential_kind } }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  return (
    <>
      {permissions.map((permission) => t(permission === 'sources.ingest' ? 'send' : 'read')).join(', ')}
      <Second>{t(credential_kind)}</Second>
    </>
  )
}
