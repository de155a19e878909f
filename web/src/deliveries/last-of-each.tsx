import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { type Source, sourcesQuery } from '../company/lists.ts'
import { hasRemarks } from '../company/remarks.tsx'
import { useFormat } from '../company/use-format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Column, RowLink, Table } from '../ui/table.tsx'
import classes from './deliveries.module.css'
import { without } from './deliveries-search.ts'
import { type Delivery, lastOfEachQueries } from './delivery-queries.ts'
import { DeliveryState, TestBadge } from './delivery-state.tsx'
import { Figure, Figures } from './figures.tsx'
import { useHeld } from './held.ts'
import { phone } from './phone.ts'
import { useReceived } from './use-received.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** Sources that are shown at once; the others with a press. */
export const sourcesShownMax = 8

/** A source and what it sent last: in production, or in test where nothing came in production. */
interface LastOfSource {
  source: Source
  last: Delivery
}

/** Of each source that has delivered; undefined until it is known, or where it could not be found out. */
export function useLastOfEach(): { list: LastOfSource[] | undefined; isKnown: boolean } {
  const { company_id } = useCompany()
  const { data: sources, isPending } = useQuery(sourcesQuery(company_id))
  const held = useHeld()
  const [ofProduction, ofTests] = lastOfEachQueries(company_id)
  const production = useQuery({ ...ofProduction, ...held })
  const tests = useQuery({ ...ofTests, ...held })
  const isKnown = !isPending && !production.isPending && !tests.isPending
  if (sources === undefined || production.data === undefined || tests.data === undefined) {
    return { list: undefined, isKnown }
  }
  const bySource = new Map<string, Delivery>()
  for (const delivery of [...tests.data, ...production.data]) bySource.set(delivery.source_id, delivery)
  return {
    isKnown,
    // In the order in which the sources were made, so that no row moves when something comes.
    list: sources.flatMap((source) => {
      const last = bySource.get(source.source_id)
      return last === undefined ? [] : [{ source, last }]
    }),
  }
}

/** The last delivery of each source, with what came of its rows; nothing where none has delivered. */
export function LastOfEach({ now }: { now: number }) {
  const { list } = useLastOfEach()
  const { sources } = route.useSearch()
  const isPhone = useMedia(phone)
  if (list === undefined) {
    return (
      <Card>
        <Section>
          <Skeleton
            blocks={[
              { width: 200, height: 24 },
              { width: 'wide', height: isPhone ? 80 : 216 },
            ]}
          />
        </Section>
      </Card>
    )
  }
  if (list.length === 0) return null
  return isPhone && sources !== 'all' && list.length > 1 ? (
    <Latest list={list} now={now} />
  ) : (
    <EachSource list={list} now={now} />
  )
}

/** Where there is little room: the one that came last. */
function Latest({ list, now }: { list: readonly LastOfSource[]; now: number }) {
  const { t } = useTranslation('deliveries')
  const received = useReceived(now)
  const format = useFormat()
  const { source, last } = list.reduce((newest, each) =>
    each.last.received_at > newest.last.received_at ? each : newest,
  )
  const count = (rows: number | null): string => (rows === null ? '–' : format.count(rows))
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
          <Figure name={t('refused')} refused={(last.rows_refused ?? 0) > 0}>
            {(last.rows_refused ?? 0) > 0 ? <RefusedRows delivery={last} /> : count(last.rows_refused)}
          </Figure>
          <Figure name={t('dateAlone')}>{count(last.rows_date_alone)}</Figure>
        </Figures>
      </Section>
    </Card>
  )
}

/** Its address shows the last delivery of every source, or of the first few again. */
function AllSources({ count, isAll = false }: { count: number; isAll?: boolean }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const search = route.useSearch()
  return (
    <Link
      to="/companies/$companyId/deliveries"
      params={{ companyId: company_id }}
      search={isAll ? without(search, 'sources') : { ...search, sources: 'all' }}
      resetScroll={false}
    >
      {isAll ? t('fewerSources') : t('allSources', { count })}
    </Link>
  )
}

/** How many were refused, as a way to them. */
function RefusedRows({ delivery: { artifact_id, rows_refused } }: { delivery: Delivery }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const format = useFormat()
  const count = rows_refused ?? 0
  return (
    <Link
      to="/companies/$companyId/deliveries/$artifactId"
      params={{ companyId: company_id, artifactId: artifact_id }}
      search={{ rows: 'refused' }}
      className={classes.redLink}
      aria-label={t('short.refused', { count })}
    >
      {format.count(count)}
    </Link>
  )
}

function EachSource({ list, now }: { list: readonly LastOfSource[]; now: number }) {
  const { t } = useTranslation('deliveries')
  const { sources } = route.useSearch()
  const columns = useColumns(now)
  const isAll = sources === 'all'
  const isPhone = useMedia(phone)
  const shown = isAll ? list : list.slice(0, sourcesShownMax)
  const hidden = list.slice(shown.length)
  const refusedHidden = hidden.filter(({ last }) => (last.rows_refused ?? 0) > 0).length
  return (
    <Card>
      <Section title={t('lastOfEach')} />
      <Table
        caption={t('lastOfEach')}
        columns={columns}
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
  const { company_id } = useCompany()
  const format = useFormat()
  const received = useReceived(now)
  const count = (rows: number | null): string => (rows === null ? '–' : format.count(rows))
  return [
    {
      key: 'source',
      head: t('source'),
      render: ({ source, last }) => (
        <RowLink
          to="/companies/$companyId/deliveries/$artifactId"
          params={{ companyId: company_id, artifactId: last.artifact_id }}
        >
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
    {
      key: 'refused',
      head: t('refused'),
      render: ({ last }) =>
        (last.rows_refused ?? 0) > 0 ? <RefusedRows delivery={last} /> : count(last.rows_refused),
      end: true,
    },
    {
      key: 'date-alone',
      head: t('readFromDate'),
      render: ({ last }) => count(last.rows_date_alone),
      end: true,
      wideOnly: true,
    },
  ]
}
