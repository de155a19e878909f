import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, type Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { Below } from '../ui/layout/below.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { useNow } from '../ui/use-now.ts'

const listDeliveries = 'GET /console/companies/{company_id}/deliveries'
const listRefusedCalls = 'GET /console/companies/{company_id}/refused-calls'

type Delivery = ApiResponse<typeof listDeliveries>['deliveries'][number]
type RefusedCall = ApiResponse<typeof listRefusedCalls>['refused_calls'][number]

/** Calls of each kind that are shown. */
const shownMax = 5
/** Newest deliveries among which the connection's are found: others may push to the same source. */
const searchedMax = '50'

/** The last deliveries over a connection of this company, and its last refused calls. */
export function RecentCalls({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const links = useLinks()
  const { connection_id, kind, permissions, source } = connection
  const sends = permissions.includes('sources.ingest')
  const deliveries = useQuery({
    queryKey: companyKey(company_id, 'connections', connection_id, 'deliveries'),
    queryFn: () =>
      callApi(listDeliveries, {
        path: { company_id },
        query: {
          sandbox: kind === 'sandbox' ? 'true' : 'false',
          limit: searchedMax,
          ...(source !== null && { source: source.source_id }),
        },
      }).then((list) => list.deliveries.filter((each) => each.connection?.connection_id === connection_id)),
    enabled: sends,
  })
  const refused = useQuery({
    queryKey: companyKey(company_id, 'connections', connection_id, 'refused-calls'),
    queryFn: () =>
      callApi(listRefusedCalls, {
        path: { company_id },
        query: { connection: connection_id, limit: String(shownMax) },
      }).then((list) => list.refused_calls),
  })
  return (
    <>
      {sends && (
        <Card>
          <Section title={t('calls.deliveries')} />
          <Loaded query={deliveries} skeleton={<SkeletonRows rows={3} />}>
            {(list) => <Deliveries deliveries={list.slice(0, shownMax)} />}
          </Loaded>
        </Card>
      )}
      <Below isReady={!sends || !deliveries.isPending}>
        <Card>
          <Section
            title={t('calls.refused')}
            actions={
              (refused.data?.length ?? 0) > 0 && (
                <Link
                  {...links.deliveries}
                  search={{ tab: 'calls', ...(source !== null && { source: source.source_id }) }}
                >
                  {t('calls.all')}
                </Link>
              )
            }
          />
          <Loaded query={refused} skeleton={<SkeletonRows rows={3} />}>
            {(list) => <RefusedTable calls={list} />}
          </Loaded>
        </Card>
      </Below>
    </>
  )
}

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const links = useLinks()
  const columns: Column<Delivery>[] = [
    {
      key: 'received',
      head: t('calls.received'),
      render: ({ artifact_id, received_at, key }) => (
        <>
          <Link {...links.delivery(artifact_id)}>{format.near(received_at, now)}</Link>
          <Second>
            <code>{key}</code>
          </Second>
        </>
      ),
    },
    {
      key: 'outcome',
      head: t('calls.outcome'),
      render: ({ state, rows_accepted, rows_refused }) =>
        state === 'parsed'
          ? t('calls.rows', {
              accepted: format.count(rows_accepted ?? 0),
              refused: format.count(rows_refused ?? 0),
            })
          : t(`calls.${state}`),
    },
  ]
  return (
    <Table
      caption={t('calls.deliveries')}
      columns={columns}
      rows={deliveries}
      rowKey={({ artifact_id }) => artifact_id}
      empty={t('calls.noDeliveries')}
      tall
    />
  )
}

function RefusedTable({ calls }: { calls: readonly RefusedCall[] }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const columns: Column<RefusedCall>[] = [
    {
      key: 'called',
      head: t('calls.called'),
      render: ({ called_at, calls: times, method, path }) => (
        <>
          {format.near(called_at, now)}
          {times > 1 && ` · ${t('calls.times', { calls: format.count(times) })}`}
          <Second>
            <code>{`${method} ${path}`}</code>
          </Second>
        </>
      ),
    },
    {
      key: 'answer',
      head: t('calls.answer'),
      render: ({ status, code, field }) => (
        <>
          {status} <code>{code}</code>
          {field !== null && (
            <Second>
              <bdi>{field}</bdi>
            </Second>
          )}
        </>
      ),
    },
  ]
  return (
    <Table
      caption={t('calls.refused')}
      columns={columns}
      rows={calls}
      rowKey={({ call_id }) => call_id}
      empty={t('calls.noRefused')}
      tall
    />
  )
}
