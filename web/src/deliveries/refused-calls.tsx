import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { type Column, Second, Table } from '../ui/table.tsx'
import classes from './deliveries.module.css'
import { CallFilters } from './delivery-filters.tsx'
import { useSourceName } from './delivery-list.tsx'
import type { RefusedCall } from './delivery-queries.ts'
import type { en } from '../language/deliveries.en.ts'
import { phone } from './phone.ts'
import { useReceived } from './use-received.ts'

/** Every page of refused calls that was read. */
export interface RefusedPages {
  pages: { refused_calls: RefusedCall[]; count: number | null }[]
}

/** Calls that never became a delivery, and what to do about each. */
export function RefusedCalls({
  calls,
  now,
}: {
  calls: Pick<
    UseInfiniteQueryResult<RefusedPages>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  now: number
}) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  return (
    <>
      <p className="small">{t('calls.intro')}</p>
      <CallFilters />
      <Loaded query={calls}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.refused_calls)
          if (list.length === 0) return <Empty title={t('calls.none')}>{t('calls.noneText')}</Empty>
          return (
            <>
              <Card>
                {isPhone ? <CallList calls={list} now={now} /> : <CallTable calls={list} now={now} />}
              </Card>
              <CallFoot shown={list.length} count={pages[0]!.count} calls={calls} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function CallFoot({
  shown,
  count,
  calls,
}: {
  shown: number
  count: number | null
  calls: Parameters<typeof More>[0]['list']
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return (
    <div className={classes.foot}>
      {count !== null && (
        <p className="small">
          {t('calls.count', { count, shown: format.count(shown), total: format.count(count) })}
        </p>
      )}
      <More list={calls} />
    </div>
  )
}

function Advice({ call: { code } }: { call: RefusedCall }) {
  const { t } = useTranslation('deliveries')
  return <span className={classes.advice}>{t(`callAdvice.${isAdvised(code) ? code : 'other'}`)}</span>
}

/** The codes that there is advice for. */
const advised: Record<keyof typeof en.callAdvice, true> = {
  invalid_argument: true,
  credential_in_url: true,
  unauthenticated: true,
  permission_denied: true,
  docs_origin_needs_sandbox: true,
  webhook_only: true,
  not_found: true,
  method_not_allowed: true,
  source_paused: true,
  key_reused: true,
  conflict: true,
  too_large: true,
  unsupported_media_type: true,
  rate_limited: true,
  internal: true,
  other: true,
}

function isAdvised(code: string): code is keyof typeof en.callAdvice {
  return Object.hasOwn(advised, code)
}

function Answer({ call: { status, code, field } }: { call: RefusedCall }) {
  const { t } = useTranslation('deliveries')
  return (
    <>
      <span className={classes.red}>{status}</span> <code>{code}</code>
      {field !== null && (
        <Second>
          <bdi>{t('calls.field', { field })}</bdi>
        </Second>
      )}
    </>
  )
}

/** Who called, or what was called where nobody is known. */
function Over({ call: { connection, source_id, signed } }: { call: RefusedCall }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const nameOf = useSourceName()
  return (
    <>
      {connection === null ? (
        <bdi>{source_id === null ? '–' : nameOf(source_id)}</bdi>
      ) : (
        <Link
          to="/companies/$companyId/connections/$connectionId"
          params={{ companyId: company_id, connectionId: connection.connection_id }}
        >
          <bdi>{connection.name ?? t('one.otherConnection')}</bdi>
        </Link>
      )}
      {connection !== null && source_id !== null && (
        <Second>
          <bdi>{nameOf(source_id)}</bdi>
        </Second>
      )}
      {!signed && (
        <>
          {' '}
          <span title={t('calls.unsignedWhat')}>
            <Badge tone="outline">{t('calls.unsigned')}</Badge>
          </span>
        </>
      )}
    </>
  )
}

function Called({ call: { channel, method, path, calls } }: { call: RefusedCall }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return (
    <>
      {t(`channelName.${channel}`)}
      {calls > 1 && <span className="small"> · {t('calls.times', { calls: format.count(calls) })}</span>}
      <Second>
        <code className={classes.path}>
          {method} {path}
        </code>
      </Second>
    </>
  )
}

function CallTable({ calls, now }: { calls: readonly RefusedCall[]; now: number }) {
  const { t } = useTranslation('deliveries')
  const received = useReceived(now)
  const columns: Column<RefusedCall>[] = [
    {
      key: 'called',
      head: t('calls.called'),
      render: ({ called_at }) => <span className={classes.plain}>{received(called_at)}</span>,
    },
    { key: 'what', head: t('calls.what'), render: (call) => <Called call={call} /> },
    { key: 'over', head: t('calls.over'), render: (call) => <Over call={call} /> },
    { key: 'answer', head: t('calls.answer'), render: (call) => <Answer call={call} /> },
    { key: 'advice', head: t('calls.advice'), render: (call) => <Advice call={call} /> },
  ]
  return (
    <Table
      caption={t('calls.caption')}
      columns={columns}
      rows={calls}
      rowKey={({ call_id }) => call_id}
      tall
    />
  )
}

function CallList({ calls, now }: { calls: readonly RefusedCall[]; now: number }) {
  const { t } = useTranslation('deliveries')
  const received = useReceived(now)
  return (
    <ul className={classes.list} aria-label={t('calls.caption')}>
      {calls.map((call) => (
        <li key={call.call_id} className={classes.call}>
          <span className={classes.callHead}>
            <span>
              <Answer call={call} />
            </span>
            <span className="small">{received(call.called_at)}</span>
          </span>
          <span>
            <Called call={call} />
          </span>
          <span>
            <Over call={call} />
          </span>
          <Advice call={call} />
        </li>
      ))}
    </ul>
  )
}
