import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Row } from '../../ui/layout/page.tsx'
import { useMedia } from '../../ui/overlays/drawer.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { type Column, Second, Table } from '../../ui/display/table.tsx'
import { useLinks } from '../../company/use-links.ts'
import type { en } from '../../language/en/deliveries.ts'
import type { RefusedCall } from '../delivery-queries.ts'
import { phone } from '../phone.ts'
import classes from './deliveries.module.css'
import { CallFilters } from './delivery-filters.tsx'
import { useSourceName } from './delivery-list.tsx'
import { useReceived } from './use-received.ts'

type RefusedPages = UseInfiniteQueryResult<{
  pages: { refused_calls: RefusedCall[]; count: number | null }[]
}>

/** Calls that never became a delivery, and what to do about each. */
export function RefusedCalls({ calls, now }: { calls: RefusedPages; now: number }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const isPhone = useMedia(phone)
  return (
    <>
      <p className="small">{t('calls.intro')}</p>
      <CallFilters />
      <Loaded query={calls}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.refused_calls)
          const count = pages[0]!.count
          const [shown, total] = [list.length, count ?? 0].map(format.count)
          if (list.length === 0) return <Empty title={t('calls.none')}>{t('calls.noneText')}</Empty>
          return (
            <>
              <Card>
                {isPhone ? <CallList calls={list} now={now} /> : <CallTable calls={list} now={now} />}
              </Card>
              <div className={classes.foot}>
                {count !== null && <p className="small">{t('calls.count', { count, shown, total })}</p>}
                <More list={calls} />
              </div>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Advice({ call: { code } }: { call: RefusedCall }) {
  const { t, i18n } = useTranslation('deliveries')
  const known = i18n.exists(`deliveries:callAdvice.${code}`) ? (code as keyof typeof en.callAdvice) : 'other'
  return <span className={classes.advice}>{t(`callAdvice.${known}`)}</span>
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

/** The connection and the source, as far as the call named them. */
function Over({ call: { connection, source_id, signed } }: { call: RefusedCall }) {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const nameSource = useSourceName()
  const source = <bdi>{source_id === null ? '–' : nameSource(source_id)}</bdi>
  return (
    <>
      {connection === null ? (
        source
      ) : (
        <Link {...links.connection(connection.connection_id)}>
          <bdi>{connection.name ?? t('one.otherConnection')}</bdi>
        </Link>
      )}
      {connection !== null && source_id !== null && <Second>{source}</Second>}
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
        <code className={classes.path}>{`${method} ${path}`}</code>
      </Second>
    </>
  )
}

interface ListProps {
  calls: readonly RefusedCall[]
  now: number
}

function CallTable({ calls, now }: ListProps) {
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

function CallList({ calls, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  const received = useReceived(now)
  return (
    <ul className="list" aria-label={t('calls.caption')}>
      {calls.map((call) => (
        <li key={call.call_id} className={classes.call}>
          <Row spread>
            <span>
              <Answer call={call} />
            </span>
            <span className="small">{received(call.called_at)}</span>
          </Row>
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
