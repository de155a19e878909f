import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import type { Connection } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useMember } from '../../session/member.ts'
import { Menu, MenuLink } from '../../ui/overlays/popover.tsx'
import { type Column, RowLink, Second } from '../../ui/display/table.tsx'
import { useNow } from '../../ui/use-now.ts'
import { possibleActions } from '../actions.ts'
import { ConnectionState } from '../connection-state.tsx'

export function useConnectionColumns(): Column<Connection>[] {
  const { t, i18n } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  return [
    {
      key: 'name',
      head: t('connection'),
      render: (connection) => <Name connection={connection} />,
      compare: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'state',
      head: t('state'),
      render: (connection) => <ConnectionState connection={connection} />,
      compare: (a, b) => toRank(a) - toRank(b),
    },
    {
      key: 'may',
      head: t('may'),
      render: (connection) => <Permissions connection={connection} />,
      wideOnly: true,
    },
    {
      key: 'source',
      head: t('source'),
      render: (connection) => <Scope connection={connection} />,
      compare: (a, b) => (a.source?.name ?? '').localeCompare(b.source?.name ?? '', i18n.language),
      wideOnly: true,
    },
    {
      key: 'used',
      head: t('lastUsed'),
      render: ({ last_used_at }) =>
        last_used_at === null ? <span className="quiet">{t('never')}</span> : format.near(last_used_at, now),
      compare: (a, b) => (a.last_used_at ?? '').localeCompare(b.last_used_at ?? ''),
      wideOnly: true,
    },
    {
      key: 'menu',
      head: <span className="unseen">{t('action.head')}</span>,
      render: (connection) => <ConnectionMenu connection={connection} />,
      end: true,
      wideOnly: true,
    },
  ]
}

const stateRanks = { unsigned: 0, signed: 2, expired: 3, revoked: 4 } as const

/** What needs attention comes first. */
function toRank({ state, expires_soon }: Connection): number {
  return expires_soon ? 1 : stateRanks[state]
}

function Name({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { connection_id, name, created_by, company } = connection
  return (
    <>
      <RowLink
        to="/companies/$companyId/connections/$connectionId"
        params={{ companyId: company_id, connectionId: connection_id }}
      >
        <bdi>{name}</bdi>
      </RowLink>
      {company.company_id !== company_id && (
        <Second>{t('ofCompany', { name: isolate(company.name) })}</Second>
      )}
      {created_by !== null && (
        <Second>
          <bdi>{created_by.name}</bdi>
          {!created_by.is_member && `, ${t('gone')}`}
        </Second>
      )}
    </>
  )
}

function Permissions({ connection: { permissions, credential_kind } }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const words = permissions.map((permission) => t(permission === 'sources.ingest' ? 'send' : 'read'))
  return (
    <>
      {words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ')}
      <Second>{t(credential_kind)}</Second>
    </>
  )
}

function Scope({ connection: { source, further_companies } }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const [only] = further_companies
  return (
    <>
      {source === null ? t('anySource') : <bdi>{source.name}</bdi>}
      {only !== undefined && (
        <Second>
          {further_companies.length === 1
            ? t('andCompany', { name: isolate(only.name) })
            : t('andCompanies', { count: further_companies.length })}
        </Second>
      )}
    </>
  )
}

function ConnectionMenu({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const company = useCompany()
  const { member_id } = useMember()
  const { connection_id, name } = connection
  const actions = possibleActions(connection, company, member_id)
  const params = { companyId: company.company_id, connectionId: connection_id }
  const link = { to: '/companies/$companyId/connections/$connectionId', params } as const
  const ask = (name: 'rotate' | 'revoke' | 'release') =>
    actions.has(name) && (
      <MenuLink {...link} search={{ ask: name }}>
        {t(`action.${name}`)}
      </MenuLink>
    )
  return (
    <Menu label={t('action.menu', { name: isolate(name) })}>
      <MenuLink {...link}>{t('action.open')}</MenuLink>
      {ask('rotate')}
      {actions.has('successor') && (
        <MenuLink
          to="/companies/$companyId/connections/new"
          params={params}
          search={{ successor: connection_id }}
        >
          {t('action.successor')}
        </MenuLink>
      )}
      {ask('revoke')}
      {ask('release')}
    </Menu>
  )
}
