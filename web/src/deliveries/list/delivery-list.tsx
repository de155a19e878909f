import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { sourcesQuery } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { useMedia } from '../../ui/overlays/drawer.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { type Column, RowLink, Second, Table } from '../../ui/display/table.tsx'
import { useLinks } from '../../company/use-links.ts'
import { countFilters, getRange, toApiQuery } from '../deliveries-search.ts'
import { type Delivery, type DeliveryList, deliveryListQuery } from '../delivery-queries.ts'
import { DeliveryState } from '../delivery-state.tsx'
import { phone } from '../phone.ts'
import classes from './deliveries.module.css'
import { useClearFilters, useFilter } from './delivery-filters.tsx'
import { useLastOfEach } from './last-of-each.tsx'
import { useLivePause } from './live-pause.ts'
import { useFresh } from './use-fresh.ts'
import { useReceived } from './use-received.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** Deliveries that pass the address's filters, newest first. */
export function FilteredDeliveries({ now }: { now: number }) {
  const { company_id } = useCompany()
  const search = route.useSearch()
  const format = useFormat()
  const query = toApiQuery(search, format.today(now))
  const list = useInfiniteQuery({ ...deliveryListQuery(company_id, query), ...useLivePause() })
  const deliveries = useMemo(() => list.data?.pages.flatMap((page) => page.deliveries) ?? [], [list.data])
  return (
    <Loaded query={list} skeleton={<SkeletonRows rows={9} />}>
      {({ pages }) => (
        <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? classes.older : ''}>
          {deliveries.length === 0 && pages.at(-1)!.next_cursor === null ? (
            <NoDeliveries />
          ) : (
            <>
              <Deliveries
                list={list.isPlaceholderData ? 'before' : JSON.stringify(query)}
                deliveries={deliveries}
                now={now}
              />
              <Foot shown={deliveries.length} pages={pages} more={list} />
            </>
          )}
        </div>
      )}
    </Loaded>
  )
}

/** Why nothing is listed: nothing passes the filters, nothing was received within the range, or nothing at all yet. */
function NoDeliveries() {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const search = route.useSearch()
  const filter = useFilter()
  const clear = useClearFilters()
  const lastOfEach = useLastOfEach().list
  const range = getRange(search)
  if (countFilters(search) > 0) {
    const action = <Button onClick={clear}>{t('filters.clear')}</Button>
    return (
      <Empty title={t('nonePass')} actions={<div>{action}</div>}>
        {t('nonePassText')}
      </Empty>
    )
  }
  if (range === 'all' || lastOfEach?.length === 0) {
    const action = <ButtonLink {...links.sources}>{t('toSources')}</ButtonLink>
    return (
      <Empty title={t('none')} actions={<div>{action}</div>}>
        {t('noneText')}
      </Empty>
    )
  }
  // Not known yet.
  if (lastOfEach === undefined) return null
  const showAll = (): void => filter({ range: 'all', from: undefined, to: undefined })
  const action = <Button onClick={showAll}>{t('showAnyTime')}</Button>
  return (
    <Empty title={t('noneWithin', { within: t(`within.${range}`) })} actions={<div>{action}</div>}>
      {t('noneWithinText')}
    </Empty>
  )
}

interface ListProps {
  deliveries: readonly Delivery[]
  fresh: ReadonlySet<string>
  now: number
}

function Deliveries({ list, deliveries, now }: Omit<ListProps, 'fresh'> & { list: string }) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  const ids = useMemo(() => deliveries.map(({ artifact_id }) => artifact_id), [deliveries])
  const fresh = useFresh(list, ids)
  const props = { deliveries, fresh, now }
  return (
    <>
      {deliveries.length > 0 && (
        <Card>{isPhone ? <PhoneList {...props} /> : <DeliveryTable {...props} />}</Card>
      )}
      <LiveRegion>
        {/* The newest as its key: the same words are announced again for the next one. */}
        {fresh.size > 0 && <span key={[...fresh][0]}>{t('newOnes', { count: fresh.size })}</span>}
      </LiveRegion>
    </>
  )
}

function Foot({
  shown: count,
  pages,
  more,
}: {
  shown: number
  pages: readonly DeliveryList[]
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const range = getRange(route.useSearch())
  const within = range === 'all' ? '' : t(`within.${range}`)
  const all = pages[0]!.count
  const searchedTo = pages.at(-1)!.searched_to
  const shown = format.count(count)
  const total = format.count(all?.deliveries ?? 0)
  const counted =
    all === null
      ? t('uncounted', { count })
      : all.more
        ? t('countedMore', { shown, total, within })
        : t('counted', { count: all.deliveries, shown, total, within })
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

/** Finds the name of a source by its id. */
export function useSourceName(): (sourceId: string) => string {
  const { company_id } = useCompany()
  const sources = useQuery(sourcesQuery(company_id)).data
  const names = useMemo(() => new Map(sources?.map(({ source_id, name }) => [source_id, name])), [sources])
  return (sourceId) => names.get(sourceId) ?? '…'
}

function DeliveryTable({ deliveries, fresh, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  return (
    <Table
      caption={t('allDeliveries')}
      columns={[...useNamingColumns(fresh, now), ...useOutcomeColumns()]}
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
  const links = useLinks()
  const received = useReceived(now)
  const nameSource = useSourceName()
  return [
    {
      key: 'received',
      head: t('received'),
      render: ({ artifact_id, received_at, source_id, key }) => (
        <>
          {fresh.has(artifact_id) && <span className={classes.fresh} />}
          <RowLink {...links.delivery(artifact_id)}>
            <span className={classes.plain}>{received(received_at)}</span>
            <span className="unseen">{` ${nameSource(source_id)} ${key}`}</span>
          </RowLink>
        </>
      ),
    },
    {
      key: 'source',
      head: t('source'),
      render: ({ source_id, channel, format }) => (
        <>
          <bdi className={classes.named}>{nameSource(source_id)}</bdi>
          <Second>
            {t(`channel.${channel}`)} · {t(`format.${format}`)}
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

/** What its parsing resulted in. */
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
      render: ({ rows_refused, state }) => {
        const refused = rows_refused ?? 0
        if (state !== 'parsed') return '–'
        return <span className={refused > 0 ? classes.red : ''}>{format.count(refused)}</span>
      },
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
  const links = useLinks()
  const received = useReceived(now)
  const nameSource = useSourceName()
  return (
    <ul className="list" aria-label={t('allDeliveries')}>
      {deliveries.map((delivery) => (
        <li key={delivery.artifact_id} className={classes.item}>
          <RowLink {...links.delivery(delivery.artifact_id)}>
            {fresh.has(delivery.artifact_id) && <span className={classes.fresh} />}
            <bdi>{nameSource(delivery.source_id)}</bdi>
          </RowLink>
          <span className="small">{received(delivery.received_at)}</span>
          <span className="small">
            <Outcome delivery={delivery} />
          </span>
          <DeliveryState delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

/** What its parsing resulted in, in words. */
function Outcome({ delivery: { state, rows_accepted, rows_refused } }: { delivery: Delivery }) {
  const { t } = useTranslation('deliveries')
  if (state !== 'parsed') return t(`short.${state}`)
  const accepted = t('short.accepted', { count: rows_accepted ?? 0 })
  if ((rows_refused ?? 0) === 0) return accepted
  return (
    <>
      {accepted}, <span className={classes.red}>{t('short.refused', { count: rows_refused ?? 0 })}</span>
    </>
  )
}
