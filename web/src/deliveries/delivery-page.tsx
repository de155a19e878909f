import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { toFigureQuery } from '../company/figure-address.ts'
import { companyKey, sourcesQuery } from '../company/lists.ts'
import { Remarks } from '../company/remarks.tsx'
import { useDeliveryChanges } from '../company/use-delivery-changes.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { en } from '../language/en/deliveries.ts'
import { sv } from '../language/sv/deliveries.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { CopyableId, CopyButton } from '../ui/display/copy.tsx'
import { Icon } from '../ui/display/icon.tsx'
import { Waiting } from '../ui/feedback/live.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead, Path } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { type DeliveryInFull, deliveryQuery, countRows } from './delivery-queries.ts'
import { Fact, Facts } from '../ui/display/facts.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { Figure, Figures, useRowCount } from './figures.tsx'
import { ChangedSamples, useChangedSamples } from './one/changed-samples.tsx'
import { CorrectionDialog } from './one/correction-dialog.tsx'
import { DeliveryRows } from './one/delivery-rows.tsx'
import { FigureRows } from './one/figure-rows.tsx'
import classes from './one/delivery.module.css'

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
  const links = useLinks()
  const figure = toFigureQuery(route.useSearch())
  const client = useQueryClient()
  const query = useQuery(deliveryQuery(company_id, artifactId))
  const sources = useQuery(sourcesQuery(company_id))
  const delivery = query.data
  const source = sources.data?.find(({ source_id }) => source_id === delivery?.source_id)
  useDeliveryChanges(company_id, delivery?.state === 'queued', (changes) => {
    if (changes?.deliveries.some(({ artifact_id }) => artifact_id === artifactId) === false) return
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'deliveries', artifactId) })
  })
  return (
    <Page>
      <PageHead
        title={source === undefined ? t('one.tab') : t('one.title', { source: isolate(source.name) })}
        line={delivery === undefined ? '\u00A0' : <ReceivedAt instant={delivery.received_at} />}
        path={
          <Path>
            <Link {...links.deliveries}>{t('title')}</Link>
            <bdi>{delivery?.key ?? artifactId}</bdi>
          </Path>
        }
        actions={delivery !== undefined && !sources.isPending && <Actions delivery={delivery} />}
      />
      {/* What is said of a delivery depends on its source. */}
      <Loaded query={{ ...query, data: sources.isPending ? undefined : delivery }} skeleton={skeleton}>
        {(delivery) => {
          const shown = { delivery, delivers: source?.delivers ?? delivery.delivers }
          return (
            <>
              {figure !== undefined && <FigureRows delivery={delivery} figure={figure} />}
              <DeliveryCard delivery={delivery} />
              <Outcome {...shown} />
              <Remarks remarks={delivery} delivers={shown.delivers} />
              {figure === undefined ? (
                <DeliveryRows delivery={delivery}>
                  <ChangedSamples delivery={delivery} />
                </DeliveryRows>
              ) : (
                <ChangedSamples delivery={delivery} />
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const skeleton = (
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
)

/** To the millisecond, as in the receipt. */
function ReceivedAt({ instant }: { instant: string }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const seconds = format.timeWithSeconds(instant).slice(format.time(instant).length)
  const ms = /\.(\d{1,3})/.exec(instant)?.[1]?.padEnd(3, '0') ?? '000'
  const when = `${format.instant(instant)}${seconds}.${ms}`
  return <time dateTime={instant}>{t('one.received', { when })}</time>
}

/** Links to its neighbours, and its address to copy. */
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
  const links = useLinks()
  if (to === null) return <span className={`${classes.turn} ${classes.none}`} />
  const className = `${classes.turn} ${isOlder ? classes.older : ''}`
  return (
    <Link {...links.delivery(to)} className={className} aria-label={label} title={label}>
      <Icon name="right" />
    </Link>
  )
}

/** Its receipt, and what its parsing resulted in. */
function DeliveryCard({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const count = useRowCount()
  const { rows_accepted, rows_refused, rows_date_alone } = delivery
  const changed = useChangedSamples(delivery).data?.pages[0]?.count
  return (
    <Card>
      <Section>
        <div className={classes.top}>
          <Figures>
            <Figure name={t('accepted')}>{count(rows_accepted)}</Figure>
            <Figure name={t('refused')} red={(rows_refused ?? 0) > 0}>
              {count(rows_refused)}
            </Figure>
            <Figure name={t('one.changed')}>{count(changed)}</Figure>
            <Figure name={t('readFromDate')}>{count(rows_date_alone)}</Figure>
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

function DeliveryFacts({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { artifact_id, dropped_keys, sha256 } = delivery
  const rows = countRows(delivery)
  return (
    <div className={classes.facts}>
      <Facts stacked>
        <Fact name={t('one.id')}>
          <CopyableId id={artifact_id} label={t('one.id')} />
        </Fact>
        <Fact name={t('key')}>
          <code>{delivery.key}</code>
        </Fact>
        <Fact name={t('one.connection')}>
          <DeliveryConnection delivery={delivery} />
        </Fact>
        <Fact name={t('one.version')}>
          {delivery.shape_version}, {t(`one.${delivery.delivers}`)}
        </Fact>
        <Fact name={t('one.channel')}>
          {t(`channelName.${delivery.channel}`)}, {t(`format.${delivery.format}`)}
        </Fact>
        <Fact name={t('one.size')}>
          {format.bytes(delivery.content_bytes)}
          {rows !== null && delivery.state === 'parsed' && `, ${t('one.rows', { count: rows })}`}
        </Fact>
        <Fact name={t('one.dropped')}>
          {dropped_keys.length === 0 ? t('one.noDropped') : <code>{dropped_keys.join(', ')}</code>}
        </Fact>
        <Fact name={t('one.hash')}>
          <CopyableId id={sha256} label={t('one.hash')} />
        </Fact>
      </Facts>
    </div>
  )
}

function DeliveryConnection({ delivery: { connection, channel, sandbox } }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const kind = t(sandbox ? 'one.sandbox' : 'one.production')
  if (channel === 'webhook') return t('one.webhookConnection')
  if (connection === null || connection.name === null) return `${t('one.otherConnection')}, ${kind}`
  return (
    <>
      <Link {...links.connection(connection.connection_id)}>
        <bdi>{connection.name}</bdi>
      </Link>
      , {kind}
    </>
  )
}

interface OutcomeProps {
  delivery: DeliveryInFull
  /** What the source sends now. */
  delivers: 'events' | 'statements'
}

/** What its parsing resulted in, and what to do about it where not everything counts. */
function Outcome({ delivery, delivers }: OutcomeProps) {
  const { t } = useTranslation('deliveries')
  const { state, reason, sandbox } = delivery
  const action = <ShowCommand delivery={delivery} delivers={delivers} />
  return (
    <>
      {state === 'queued' && (
        <Waiting title={t('one.waiting')} boxed>
          {t('one.waitingText')}
        </Waiting>
      )}
      {state === 'unreadable' && (
        <Note tone="red" title={t('outcome.unreadable')} action={action}>
          {reason !== null && <span lang="en">{reason}</span>} {t('outcome.unreadableText')}
        </Note>
      )}
      {(delivery.rows_refused ?? 0) > 0 && (
        <Note
          tone="red"
          title={<RefusedSentence delivery={delivery} />}
          action={
            <Buttons>
              {action}
              <PreviewFix delivery={delivery} />
            </Buttons>
          }
        >
          <RefusedAdvice delivery={delivery} delivers={delivers} />
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

function RefusedSentence({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const [accepted, count] = [delivery.rows_accepted ?? 0, delivery.rows_refused ?? 0]
  if (accepted === 0) return t('outcome.allRefused', { count })
  if (accepted === 1) return t('outcome.someRefusedOfTwo', { count })
  return t('outcome.someRefused', { count, others: format.count(accepted) })
}

function RefusedAdvice({ delivery, delivers }: OutcomeProps) {
  const { t } = useTranslation('deliveries')
  const events = delivery.rows_accepted === 0 ? 'outcome.eventsAll' : 'outcome.events'
  const advice = t(delivers === 'statements' ? 'outcome.statements' : events)
  if (delivers === delivery.delivers) return advice
  const [before, now] = [t(`one.${delivery.delivers}`), t(`one.${delivers}`)]
  return `${advice} ${t('outcome.changedMode', { before, now })}`
}

/** The step of the source's form in which what refused a row may be changed. */
function getFixStep({ code }: DeliveryInFull['refusals'][number]): 'fields' | 'time' | 'metrics' | undefined {
  if (code === 'cells_differ') return undefined
  if (code.startsWith('event_time_')) return 'time'
  return code === 'label_too_long' || code === 'allowance_spent' ? 'metrics' : 'fields'
}

/** Opens the source's form with the delivery, whose rows are previewed as the fields are changed. */
function PreviewFix({ delivery: { artifact_id, source_id, refusals } }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const step = refusals.map(getFixStep).find((step) => step !== undefined)
  if (step === undefined) return null
  return (
    <ButtonLink small {...links.changeSource(source_id)} search={{ step, delivery: artifact_id }}>
      {t('outcome.previewFix')}
    </ButtonLink>
  )
}

/** Opens the command in a dialog, which the address keeps. */
function ShowCommand({ delivery, delivers }: OutcomeProps) {
  const { t } = useTranslation('deliveries')
  const links = useLinks()
  const search = route.useSearch()
  const navigate = useNavigate()
  const show = (curl: 'open' | undefined): void => {
    const to = links.delivery(delivery.artifact_id)
    void navigate({ ...to, search: { ...search, curl }, replace: curl === undefined, resetScroll: false })
  }
  return (
    <>
      <Button small icon="copy" onClick={() => show('open')}>
        {t('outcome.curl')}
      </Button>
      {search.curl === 'open' && (
        <CorrectionDialog delivery={delivery} delivers={delivers} onClose={() => show(undefined)} />
      )}
    </>
  )
}
