import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { sourcesQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type Column, RowLink, Second, Table } from '../ui/table.tsx'
import classes from './deliveries.module.css'
import { filtersOf, queryOf, rangeOf } from './deliveries-search.ts'
import { useClearFilters, useFilter } from './delivery-filters.tsx'
import { type Delivery, type DeliveryList, deliveryListQuery } from './delivery-queries.ts'
import { DeliveryState } from './delivery-state.tsx'
import { useHeld } from './held.ts'
import { useLastOfEach } from './last-of-each.tsx'
import { phone } from './phone.ts'
import { useFresh } from './use-fresh.ts'
import { useReceived } from './use-received.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** Deliveries that pass the address's filters, newest first. */
export function FilteredDeliveries({ now }: { now: number }) {
  const { company_id } = useCompany()
  const search = route.useSearch()
  const format = useFormat()
  const query = queryOf(search, format.today(now))
  const list = useInfiniteQuery({ ...deliveryListQuery(company_id, query), ...useHeld() })
  const deliveries = useMemo(() => list.data?.pages.flatMap((page) => page.deliveries) ?? [], [list.data])
  return (
    <Loaded query={list} skeleton={<SkeletonRows rows={9} />}>
      {({ pages }) => (
        <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? classes.older : ''}>
          {deliveries.length === 0 && pages.at(-1)!.next_cursor === null ? (
            <NonePass />
          ) : (
            <Shown
              of={list.isPlaceholderData ? 'before' : JSON.stringify(query)}
              deliveries={deliveries}
              pages={pages}
              now={now}
              more={list}
            />
          )}
        </div>
      )}
    </Loaded>
  )
}

/** Nothing is shown: since nothing passes the filters, has come in the time that is meant, or has come at all. */
function NonePass() {
  const { t } = useTranslation('deliveries')
  const search = route.useSearch()
  const filter = useFilter()
  const clear = useClearFilters()
  const lastOfEach = useLastOfEach().list
  const range = rangeOf(search)
  if (filtersOf(search) > 0) {
    return (
      <Nothing title={t('nonePass')} action={<Button onClick={clear}>{t('filters.clear')}</Button>}>
        {t('nonePassText')}
      </Nothing>
    )
  }
  if (range === 'all' || lastOfEach?.length === 0) return <NoneYet />
  // Whether there is any at all is a moment away.
  if (lastOfEach === undefined) return null
  const showAll = (): void => filter({ range: 'all', from: undefined, to: undefined })
  return (
    <Nothing
      title={t('noneWithin', { within: t(`within.${range}`) })}
      action={<Button onClick={showAll}>{t('showAnyTime')}</Button>}
    >
      {t('noneWithinText')}
    </Nothing>
  )
}

function NoneYet() {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  return (
    <Nothing
      title={t('none')}
      action={
        <ButtonLink to="/companies/$companyId/sources" params={{ companyId: company_id }}>
          {t('toSources')}
        </ButtonLink>
      }
    >
      {t('noneText')}
    </Nothing>
  )
}

function Nothing({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <Empty title={title} actions={<div>{action}</div>}>
      {children}
    </Empty>
  )
}

interface Further {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

function Shown({
  of,
  deliveries,
  pages,
  now,
  more,
}: {
  of: string
  deliveries: readonly Delivery[]
  pages: readonly DeliveryList[]
  now: number
  more: Further
}) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  const ids = useMemo(() => deliveries.map(({ artifact_id }) => artifact_id), [deliveries])
  const fresh = useFresh(of, ids)
  return (
    <>
      {deliveries.length > 0 && (
        <Card>
          {isPhone ? (
            <PhoneList deliveries={deliveries} fresh={fresh} now={now} />
          ) : (
            <DeliveryTable deliveries={deliveries} fresh={fresh} now={now} />
          )}
        </Card>
      )}
      <Foot shown={deliveries.length} pages={pages} more={more} />
      <LiveRegion>
        {/* Under the key of the newest: the same words are said again for the next one. */}
        {fresh.size > 0 && <span key={[...fresh][0]}>{t('newOnes', { count: fresh.size })}</span>}
      </LiveRegion>
    </>
  )
}

function Foot({ shown, pages, more }: { shown: number; pages: readonly DeliveryList[]; more: Further }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const search = route.useSearch()
  const count = pages[0]!.count
  const searchedTo = pages.at(-1)!.searched_to
  const range = rangeOf(search)
  const within = range === 'all' ? '' : t(`within.${range}`)
  const counted =
    count === null
      ? t('uncounted', { count: shown })
      : count.more
        ? t('countedMore', { shown: format.count(shown), total: format.count(count.deliveries), within })
        : t('counted', {
            count: count.deliveries,
            shown: format.count(shown),
            total: format.count(count.deliveries),
            within,
          })
  return (
    <div className={classes.foot}>
      <p className="small">
        {counted.trim()}
        {searchedTo !== null && <> · {t('searchedTo', { when: format.instant(searchedTo) })}</>}
      </p>
      {more.hasNextPage && (
        <Button busy={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
          {searchedTo === null ? t('ui.more', { ns: 'translation' }) : t('searchOn')}
        </Button>
      )}
    </div>
  )
}

/** The name of a source by its id. */
export function useSourceName(): (sourceId: string) => string {
  const { company_id } = useCompany()
  const sources = useQuery(sourcesQuery(company_id)).data
  const names = useMemo(() => new Map(sources?.map(({ source_id, name }) => [source_id, name])), [sources])
  return (sourceId) => names.get(sourceId) ?? '…'
}

interface ListProps {
  deliveries: readonly Delivery[]
  fresh: ReadonlySet<string>
  now: number
}

function DeliveryTable({ deliveries, fresh, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  const columns = [...useNamingColumns(fresh, now), ...useOutcomeColumns()]
  return (
    <Table
      caption={t('allDeliveries')}
      columns={columns}
      rows={deliveries}
      rowKey={({ artifact_id }) => artifact_id}
      tall
      linked
    />
  )
}

/** Which delivery it is. */
function useNamingColumns(fresh: ReadonlySet<string>, now: number): Column<Delivery>[] {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const received = useReceived(now)
  const nameOf = useSourceName()
  return [
    {
      key: 'received',
      head: t('received'),
      render: ({ artifact_id, received_at, source_id, key }) => (
        <>
          {fresh.has(artifact_id) && <span className={classes.fresh} />}
          <RowLink
            to="/companies/$companyId/deliveries/$artifactId"
            params={{ companyId: company_id, artifactId: artifact_id }}
          >
            <span className={classes.plain}>{received(received_at)}</span>
            <span className="unseen">
              {' '}
              {nameOf(source_id)} {key}
            </span>
          </RowLink>
        </>
      ),
    },
    {
      key: 'source',
      head: t('source'),
      render: ({ source_id, channel, format: form }) => (
        <>
          <bdi className={classes.named}>{nameOf(source_id)}</bdi>
          <Second>
            {t(`channel.${channel}`)} · {t(`format.${form}`)}
          </Second>
        </>
      ),
    },
    {
      key: 'key',
      head: t('key'),
      render: ({ key }) => (
        <code className={classes.key} title={key}>
          {key}
        </code>
      ),
    },
  ]
}

/** What came of it. */
function useOutcomeColumns(): Column<Delivery>[] {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return [
    {
      key: 'accepted',
      head: t('accepted'),
      render: ({ rows_accepted, state }) => (state === 'parsed' ? format.count(rows_accepted ?? 0) : '–'),
      end: true,
    },
    {
      key: 'refused',
      head: t('refused'),
      render: ({ rows_refused, state }) =>
        state !== 'parsed' ? (
          '–'
        ) : (
          <span className={(rows_refused ?? 0) > 0 ? classes.red : ''}>
            {format.count(rows_refused ?? 0)}
          </span>
        ),
      end: true,
    },
    {
      key: 'size',
      head: t('size'),
      render: ({ content_bytes }) => <span className={classes.plain}>{format.bytes(content_bytes)}</span>,
      end: true,
    },
    { key: 'state', head: t('state'), render: (delivery) => <DeliveryState delivery={delivery} /> },
  ]
}

function PhoneList({ deliveries, fresh, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const received = useReceived(now)
  const nameOf = useSourceName()
  return (
    <ul className={classes.list} aria-label={t('allDeliveries')}>
      {deliveries.map((delivery) => (
        <li key={delivery.artifact_id} className={classes.item}>
          <Link
            to="/companies/$companyId/deliveries/$artifactId"
            params={{ companyId: company_id, artifactId: delivery.artifact_id }}
            className={classes.itemLink}
          >
            {fresh.has(delivery.artifact_id) && <span className={classes.fresh} />}
            <bdi>{nameOf(delivery.source_id)}</bdi>
          </Link>
          <span className="small">{received(delivery.received_at)}</span>
          <span className="small">
            <Came delivery={delivery} />
          </span>
          <DeliveryState delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

/** What came of its rows, in words. */
function Came({ delivery: { state, rows_accepted, rows_refused } }: { delivery: Delivery }) {
  const { t } = useTranslation('deliveries')
  if (state !== 'parsed') return t(`short.${state}`)
  return (
    <>
      {t('short.accepted', { count: rows_accepted ?? 0 })}
      {(rows_refused ?? 0) > 0 && (
        <>
          , <span className={classes.red}>{t('short.refused', { count: rows_refused ?? 0 })}</span>
        </>
      )}
    </>
  )
}
