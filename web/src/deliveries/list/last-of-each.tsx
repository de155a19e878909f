import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { type Source, sourcesQuery } from '../../company/lists.ts'
import { hasRemarks } from '../../company/remarks.tsx'
import { useLinks } from '../../company/use-links.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { useMedia } from '../../ui/overlays/drawer.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { type Column, RowLink, Table } from '../../ui/display/table.tsx'
import { type Delivery, lastDeliveriesQuery } from '../delivery-queries.ts'
import { DeliveryState, TestBadge } from '../delivery-state.tsx'
import { Figure, Figures, useRowCount } from '../figures.tsx'
import { phone } from '../phone.ts'
import classes from './deliveries.module.css'
import { useLivePause } from './live-pause.ts'
import { useReceived } from './use-received.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** Sources that are shown at first. */
const sourcesShownMax = 8

/** A source and its last delivery: in production, else in test. */
interface LastOfSource {
  source: Source
  last: Delivery
}

/** Of each source that has delivered; undefined while it is loaded, and where that failed. */
export function useLastOfEach(): { list: LastOfSource[] | undefined; isPending: boolean } {
  const { company_id } = useCompany()
  const pause = useLivePause()
  const sources = useQuery(sourcesQuery(company_id))
  const production = useQuery({ ...lastDeliveriesQuery(company_id, 'production'), ...pause })
  const tests = useQuery({ ...lastDeliveriesQuery(company_id, 'test'), ...pause })
  const isPending = sources.isPending || production.isPending || tests.isPending
  if (!sources.data || !production.data || !tests.data) return { list: undefined, isPending }
  const bySource = new Map([...tests.data, ...production.data].map((last) => [last.source_id, last]))
  // In the order in which the sources were created, so that no row moves when something is received.
  const list = sources.data.flatMap((source) => {
    const last = bySource.get(source.source_id)
    return last === undefined ? [] : [{ source, last }]
  })
  return { list, isPending }
}

/** The last delivery of each source and how many of its rows were accepted; nothing where none has delivered. */
export function LastOfEach({ now }: { now: number }) {
  const { list } = useLastOfEach()
  const { sources } = route.useSearch()
  const isPhone = useMedia(phone)
  if (list === undefined) {
    const blocks = [
      { width: 200, height: 24 },
      { width: 'wide', height: isPhone ? 80 : 216 },
    ] as const
    return (
      <Card>
        <Section>
          <Skeleton blocks={blocks} />
        </Section>
      </Card>
    )
  }
  if (list.length === 0) return null
  const isShort = isPhone && sources !== 'all' && list.length > 1
  return isShort ? <Latest list={list} now={now} /> : <EachSource list={list} now={now} />
}

interface ListProps {
  list: readonly LastOfSource[]
  now: number
}

/** The latest of them, on a phone. */
function Latest({ list, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  const received = useReceived(now)
  const count = useRowCount()
  const { source, last } = list.reduce((newest, each) =>
    each.last.received_at > newest.last.received_at ? each : newest,
  )
  return (
    <Card>
      <Section
        title={<bdi>{source.name}</bdi>}
        line={t('lastOf', { when: received(last.received_at) })}
        actions={<AllSources count={list.length} />}
      >
        {(last.state !== 'parsed' || last.sandbox || hasRemarks(last)) && <DeliveryState delivery={last} />}
      </Section>
      <Section>
        <Figures>
          <Figure name={t('accepted')}>{count(last.rows_accepted)}</Figure>
          <Figure name={t('refused')} red={(last.rows_refused ?? 0) > 0}>
            <RefusedRows delivery={last} />
          </Figure>
          <Figure name={t('dateAlone')}>{count(last.rows_date_alone)}</Figure>
        </Figures>
      </Section>
    </Card>
  )
}

/** Shows the last delivery of every source, or only of the first few again. */
function AllSources({ count, isAll = false }: { count: number; isAll?: boolean }) {
  const { t } = useTranslation('deliveries')
  const { deliveries } = useLinks()
  const search = route.useSearch()
  return (
    <Link {...deliveries} search={{ ...search, sources: isAll ? undefined : 'all' }} resetScroll={false}>
      {isAll ? t('fewerSources') : t('allSources', { count })}
    </Link>
  )
}

/** How many rows were refused, linked to them. */
function RefusedRows({ delivery: { artifact_id, rows_refused } }: { delivery: Delivery }) {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const count = useRowCount()
  if (!rows_refused) return count(rows_refused)
  return (
    <Link
      {...links.delivery(artifact_id)}
      search={{ rows: 'refused' }}
      className={classes.red}
      aria-label={t('short.refused', { count: rows_refused })}
    >
      {count(rows_refused)}
    </Link>
  )
}

function EachSource({ list, now }: ListProps) {
  const { t } = useTranslation('deliveries')
  const isAll = route.useSearch().sources === 'all'
  const isPhone = useMedia(phone)
  const shown = isAll ? list : list.slice(0, sourcesShownMax)
  const hidden = list.slice(shown.length)
  const refusedHidden = hidden.filter(({ last }) => (last.rows_refused ?? 0) > 0).length
  return (
    <Card>
      <Section title={t('lastOfEach')} />
      <Table
        caption={t('lastOfEach')}
        columns={useColumns(now)}
        rows={shown}
        rowKey={({ source }) => source.source_id}
        linked
      />
      {(hidden.length > 0 || (isAll && (isPhone || list.length > sourcesShownMax))) && (
        <div className={classes.cardFoot}>
          <AllSources count={list.length} isAll={isAll} />
          {hidden.length > 0 && (
            <span className="small">
              {t('hiddenSources', { count: hidden.length })}
              {refusedHidden > 0 && `, ${t('hiddenRefused', { count: refusedHidden })}`}
            </span>
          )}
        </div>
      )}
    </Card>
  )
}

function useColumns(now: number): Column<LastOfSource>[] {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const received = useReceived(now)
  const count = useRowCount()
  return [
    {
      key: 'source',
      head: t('source'),
      render: ({ source, last }) => (
        <RowLink {...links.delivery(last.artifact_id)}>
          <bdi>{source.name}</bdi>
        </RowLink>
      ),
    },
    {
      key: 'received',
      head: t('received'),
      render: ({ source, last }) => (
        <span className={classes.same}>
          {received(last.received_at, { named: true })}
          {source.activity?.freshness.late === true && !last.sandbox && (
            <Badge tone="amber" icon="clock">
              {t('late')}
            </Badge>
          )}
          {(last.state !== 'parsed' || hasRemarks(last)) && (
            <DeliveryState delivery={{ ...last, sandbox: false }} />
          )}
          {last.sandbox && (
            <span title={t('lastTest')}>
              <TestBadge />
            </span>
          )}
        </span>
      ),
    },
    { key: 'accepted', head: t('rowsAccepted'), render: ({ last }) => count(last.rows_accepted), end: true },
    { key: 'refused', head: t('refused'), render: ({ last }) => <RefusedRows delivery={last} />, end: true },
    {
      key: 'date-alone',
      head: t('readFromDate'),
      render: ({ last }) => count(last.rows_date_alone),
      end: true,
      wideOnly: true,
    },
  ]
}
