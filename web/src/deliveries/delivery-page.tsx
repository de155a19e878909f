import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { companyKey, sourcesQuery } from '../company/lists.ts'
import { useDeliveryChanges } from '../company/use-delivery-changes.ts'
import { Remarks } from '../company/remarks.tsx'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/deliveries.en.ts'
import { sv } from '../language/deliveries.sv.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyableId, CopyButton } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Waiting } from '../ui/live.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ChangedSamples, useChangedSamples } from './changed-samples.tsx'
import { without } from './deliveries-search.ts'
import classes from './delivery.module.css'
import { type DeliveryInFull, deliveryQuery } from './delivery-queries.ts'
import { DeliveryState } from './delivery-state.tsx'
import { Figure, Figures } from './figures.tsx'
import { KeptRows } from './kept-rows.tsx'
import { MendedCopyDialog } from './mended-copy.tsx'

addTexts('deliveries', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/deliveries/$artifactId')

/** One delivery (`/companies/{id}/deliveries/{id}`). */
export function DeliveryPage() {
  const { artifactId } = route.useParams()
  return <OneDelivery key={artifactId} artifactId={artifactId} />
}

function OneDelivery({ artifactId }: { artifactId: string }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const client = useQueryClient()
  const query = useQuery(deliveryQuery(company_id, artifactId))
  const delivery = query.data
  const { source, isPending } = useSource(delivery?.source_id)
  useDeliveryChanges(company_id, delivery?.state === 'queued', () => {
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'deliveries', artifactId) })
  })
  return (
    <Page>
      <PageHead
        title={source === undefined ? t('one.tab') : t('one.title', { source: isolate(source.name) })}
        line={delivery === undefined ? '\u00A0' : <ReceivedAt instant={delivery.received_at} />}
        path={
          <Path>
            <Link to="/companies/$companyId/deliveries" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <bdi>{delivery?.key ?? artifactId}</bdi>
          </Path>
        }
        actions={delivery !== undefined && !isPending && <Actions delivery={delivery} />}
      />
      <Loaded
        // Which source it is decides what is said of it.
        query={{ ...query, data: isPending ? undefined : delivery }}
        skeleton={
          <Card>
            <Section>
              <Skeleton
                blocks={[
                  { width: 320, height: 44 },
                  { width: 'wide', height: 100 },
                ]}
              />
            </Section>
          </Card>
        }
      >
        {(delivery) => (
          <>
            <DeliveryCard delivery={delivery} />
            <Outcome delivery={delivery} delivers={source?.delivers ?? delivery.delivers} />
            <Remarks remarks={delivery} delivers={source?.delivers ?? delivery.delivers} />
            <KeptRows delivery={delivery}>
              <ChangedSamples delivery={delivery} />
            </KeptRows>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function useSource(sourceId: string | undefined) {
  const { company_id } = useCompany()
  const { data, isPending } = useQuery(sourcesQuery(company_id))
  return { source: data?.find(({ source_id }) => source_id === sourceId), isPending }
}

/** To the millisecond, as the receipt has it. */
function ReceivedAt({ instant }: { instant: string }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const seconds = format.timeWithSeconds(instant).slice(format.time(instant).length)
  const ms = /\.(\d{1,3})/.exec(instant)?.[1]?.padEnd(3, '0') ?? '000'
  return (
    <time dateTime={instant}>
      {t('one.received', { when: `${format.instant(instant)}${seconds}.${ms}` })}
    </time>
  )
}

/** To its neighbours, and its address to be sent to a colleague. */
function Actions({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  return (
    <>
      <Turn to={delivery.older_artifact_id} label={t('one.older')} isOlder />
      <Turn to={delivery.newer_artifact_id} label={t('one.newer')} />
      <CopyButton text={() => location.href} label={t('one.copyLink')} />
    </>
  )
}

function Turn({ to, label, isOlder = false }: { to: string | null; label: string; isOlder?: boolean }) {
  const { company_id } = useCompany()
  if (to === null) return <span className={`${classes.turn} ${classes.none}`} />
  return (
    <Link
      to="/companies/$companyId/deliveries/$artifactId"
      params={{ companyId: company_id, artifactId: to }}
      className={`${classes.turn} ${isOlder ? classes.older : ''}`}
      aria-label={label}
      title={label}
    >
      <Icon name="right" />
    </Link>
  )
}

/** Its receipt, and what came of its rows. */
function DeliveryCard({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const changed = useChangedSamples(delivery).data?.pages[0]?.count
  const count = (rows: number | null): string => (rows === null ? '–' : format.count(rows))
  const refused = delivery.rows_refused ?? 0
  return (
    <Card>
      <Section>
        <div className={classes.top}>
          <Figures>
            <Figure name={t('accepted')}>{count(delivery.rows_accepted)}</Figure>
            <Figure name={t('refused')} refused={refused > 0}>
              {count(delivery.rows_refused)}
            </Figure>
            <Figure name={t('one.changed')}>{count(changed ?? null)}</Figure>
            <Figure name={t('readFromDate')}>{count(delivery.rows_date_alone)}</Figure>
          </Figures>
          <DeliveryState delivery={delivery} />
        </div>
      </Section>
      <Section>
        <DeliveryFacts delivery={delivery} />
      </Section>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { artifact_id, key, shape_version, delivers, channel, dropped_keys, sha256 } = delivery
  const total = delivery.rows_accepted === null ? null : delivery.rows_accepted + (delivery.rows_refused ?? 0)
  return (
    <dl className={classes.facts}>
      <Fact name={t('one.id')}>
        <CopyableId id={artifact_id} label={t('one.id')} />
      </Fact>
      <Fact name={t('key')}>
        <code>{key}</code>
      </Fact>
      <Fact name={t('one.connection')}>
        <ConnectionOf delivery={delivery} />
      </Fact>
      <Fact name={t('one.version')}>
        {shape_version}, {t(`one.${delivers}`)}
      </Fact>
      <Fact name={t('one.channel')}>
        {t(`channelName.${channel}`)}, {t(`format.${delivery.format}`)}
      </Fact>
      <Fact name={t('one.size')}>
        {format.bytes(delivery.content_bytes)}
        {total !== null && delivery.state === 'parsed' && `, ${t('one.rows', { count: total })}`}
      </Fact>
      <Fact name={t('one.dropped')}>
        {dropped_keys.length === 0 ? t('one.noDropped') : <code>{dropped_keys.join(', ')}</code>}
      </Fact>
      <Fact name={t('one.hash')}>
        <CopyableId id={sha256} label={t('one.hash')} />
      </Fact>
    </dl>
  )
}

function ConnectionOf({ delivery: { connection, channel, sandbox } }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const kind = t(sandbox ? 'one.sandbox' : 'one.production')
  if (channel === 'webhook') return t('one.webhookConnection')
  if (connection === null || connection.name === null) return `${t('one.otherConnection')}, ${kind}`
  return (
    <>
      <Link
        to="/companies/$companyId/connections/$connectionId"
        params={{ companyId: company_id, connectionId: connection.connection_id }}
      >
        <bdi>{connection.name}</bdi>
      </Link>
      , {kind}
    </>
  )
}

/** What came of it, and what to do about it where not everything counts. */
function Outcome({ delivery, delivers }: { delivery: DeliveryInFull; delivers: 'events' | 'statements' }) {
  const { t } = useTranslation('deliveries')
  const { state, sandbox, rows_accepted, rows_refused } = delivery
  const refused = rows_refused ?? 0
  return (
    <>
      {state === 'queued' && (
        <Waiting title={t('one.waiting')} boxed>
          {t('one.waitingText')}
        </Waiting>
      )}
      {state === 'unreadable' && <Unreadable delivery={delivery} delivers={delivers} />}
      {refused > 0 && (
        <Note
          tone="red"
          title={<RefusedSentence refused={refused} accepted={rows_accepted ?? 0} />}
          action={<AsCurl delivery={delivery} delivers={delivers} />}
        >
          {t(
            delivers === 'statements'
              ? 'outcome.statements'
              : rows_accepted === 0
                ? 'outcome.eventsAll'
                : 'outcome.events',
          )}
          {delivers !== delivery.delivers && (
            <>
              {' '}
              {t('outcome.changedMode', { before: t(`one.${delivery.delivers}`), now: t(`one.${delivers}`) })}
            </>
          )}
        </Note>
      )}
      {sandbox && (
        <Note tone="neutral" icon="test">
          {t('outcome.test')}
        </Note>
      )}
    </>
  )
}

function RefusedSentence({ refused, accepted }: { refused: number; accepted: number }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (accepted === 0) return t('outcome.allRefused', { count: refused })
  if (accepted === 1) return t('outcome.someRefusedOfTwo', { count: refused })
  return t('outcome.someRefused', { count: refused, others: format.count(accepted) })
}

function Unreadable({ delivery, delivers }: { delivery: DeliveryInFull; delivers: 'events' | 'statements' }) {
  const { t } = useTranslation('deliveries')
  return (
    <Note
      tone="red"
      title={t('outcome.unreadable')}
      action={<AsCurl delivery={delivery} delivers={delivers} />}
    >
      {delivery.reason !== null && <span lang="en">{delivery.reason}</span>} {t('outcome.unreadableText')}
    </Note>
  )
}

/** The command stands in the address, as whatever is opened does. */
function AsCurl({ delivery, delivers }: { delivery: DeliveryInFull; delivers: 'events' | 'statements' }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const { curl } = route.useSearch()
  const navigate = useNavigate()
  const show = (isOpen: boolean): void =>
    void navigate({
      to: '/companies/$companyId/deliveries/$artifactId',
      params: { companyId: company_id, artifactId: delivery.artifact_id },
      search: (search) => (isOpen ? { ...search, curl: 'open' as const } : without(search, 'curl')),
      replace: !isOpen,
      resetScroll: false,
    })
  return (
    <>
      <Button small icon="copy" onClick={() => show(true)}>
        {t('outcome.curl')}
      </Button>
      {curl === 'open' && (
        <MendedCopyDialog delivery={delivery} delivers={delivers} onClose={() => show(false)} />
      )}
    </>
  )
}
