import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import type { Connection } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { SearchField } from '../../ui/controls/field.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Table } from '../../ui/display/table.tsx'
import {
  type ConnectionsSearch,
  parseConnectionsSearch,
  type StateFilter,
  stateFilters,
} from './connections-search.ts'
import classes from './connections-page.module.css'
import { expiringSoon, filterConnections, findCreators } from './filter-connections.ts'
import { useConnectionColumns } from './use-connection-columns.tsx'

const route = getRouteApi('/frame/companies/$companyId/connections')

/** What a control changes in the address; an empty text removes it. */
type Changed = { [Name in keyof ConnectionsSearch]?: string }

/** With fewer connections, there are no filters. */
const filteredFrom = 2

/** A note about what expires soon, the filters, and the table. */
export function ConnectionList({ connections }: { connections: Connection[] }) {
  const { t } = useTranslation('connections')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { company_id } = useCompany()
  const shown = filterConnections(connections, search)
  function change(changed: Changed): void {
    void navigate({ to: '.', search: parseConnectionsSearch({ ...search, ...changed }), replace: true })
  }
  return (
    <>
      <ExpiringNote connections={expiringSoon(connections, company_id)} />
      {connections.length >= filteredFrom && (
        <Filters connections={connections} search={search} onChange={change} />
      )}
      <LiveRegion>{t('filters.shown', { count: shown.length })}</LiveRegion>
      <Card>
        <Table
          caption={t('title')}
          columns={useConnectionColumns()}
          rows={shown}
          rowKey={({ connection_id }) => connection_id}
          empty={t('noneFound')}
          tall
          linked
          sort={search.sort}
          onSort={(sort) => change({ sort })}
        />
      </Card>
    </>
  )
}

function ExpiringNote({ connections }: { connections: Connection[] }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const params = { companyId: useCompany().company_id }
  const [first] = connections
  if (first === undefined || first.expires_at === null) return null
  const name = isolate(first.name)
  const when = format.instantDay(first.expires_at)
  if (connections.length > 1) {
    return (
      <Note
        tone="amber"
        title={t('soon.many', { count: connections.length })}
        action={
          <Link to="/companies/$companyId/connections" params={params} search={{ state: 'expiring' }}>
            {t('soon.showThem')}
          </Link>
        }
      >
        {t('soon.manyText', { name, when })}
      </Note>
    )
  }
  return (
    <Note
      tone="amber"
      title={t('soon.one', { name, when: format.ahead(first.expires_in_days ?? 0, 'day') })}
      action={
        <Link
          to="/companies/$companyId/connections/new"
          params={params}
          search={{ successor: first.connection_id }}
        >
          {t('action.successor')}
        </Link>
      }
    >
      {t('soon.oneText', { when })}
    </Note>
  )
}

/** Their values are in the address. */
function Filters({
  connections,
  search,
  onChange,
}: {
  connections: Connection[]
  search: ConnectionsSearch
  onChange: (changed: Changed) => void
}) {
  const { t } = useTranslation('connections')
  const sources = new Map(
    connections.flatMap(({ source }) => (source === null ? [] : [[source.source_id, source.name] as const])),
  )
  const makers = findCreators(connections)
  const isFiltered = [search.find, search.state, search.source, search.maker].some(Boolean)
  return (
    <div role="group" aria-label={t('filters.label')} className={classes.filters}>
      <SearchField
        label={t('filters.find')}
        value={search.find ?? ''}
        onChange={(find) => onChange({ find })}
      />
      <Select<StateFilter | ''>
        label={t('filters.state')}
        value={search.state ?? ''}
        options={[
          { value: '', label: t('filters.everyState') },
          ...stateFilters.map((state) => ({
            value: state,
            label: state === 'expiring' ? t('filters.expiring') : t(state),
          })),
        ]}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label={t('filters.source')}
        value={search.source ?? ''}
        options={[
          { value: '', label: t('filters.everySource') },
          { value: 'none', label: t('filters.unbound') },
          ...[...sources].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(source) => onChange({ source })}
      />
      {makers.length > 1 && (
        <Select
          label={t('filters.creator')}
          value={search.maker ?? ''}
          options={[{ value: '', label: t('filters.everyCreator') }, ...makers]}
          onChange={(maker) => onChange({ maker })}
        />
      )}
      {isFiltered && (
        <Button variant="quiet" onClick={() => onChange({ find: '', state: '', source: '', maker: '' })}>
          {t('filters.clear')}
        </Button>
      )}
    </div>
  )
}
