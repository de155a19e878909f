import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { Remarks } from '../../company/remarks.tsx'
import { useDeliveryChanges } from '../../company/use-delivery-changes.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { isolate } from '../../language/isolate.ts'
import { Badge, PlainState } from '../../ui/display/badge.tsx'
import { Below } from '../../ui/layout/below.tsx'
import { Buttons } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { LiveRegion, Waiting } from '../../ui/feedback/live.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { Source } from '../declaration.ts'
import classes from './quick-start.module.css'

const listDeliveries = 'GET /console/companies/{company_id}/deliveries'

type Delivery = ApiResponse<typeof listDeliveries>['deliveries'][number]

/** The source's last delivery, read again when one of the source is received or parsed. */
function useLastDelivery(source: string) {
  const { company_id } = useCompany()
  const client = useQueryClient()
  const queryKey = companyKey(company_id, 'sources', source, 'arrival')
  const query = useQuery({
    queryKey,
    queryFn: () =>
      callApi(listDeliveries, { path: { company_id }, query: { source, limit: '1' } }).then(
        ({ deliveries }) => deliveries[0] ?? null,
      ),
  })
  useDeliveryChanges(company_id, true, (changes) => {
    if (changes?.deliveries.some(({ source_id }) => source_id === source) === false) return
    void client.invalidateQueries({ queryKey })
  })
  const { data } = query
  const received = data && `${data.artifact_id} ${data.state}`
  useEffect(() => {
    // The source's activity changes with it.
    if (received == null) return
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'sources', source), exact: true })
  }, [client, company_id, source, received])
  return query
}

interface ArrivalProps {
  source: Source
  /** It had deliveries when the page was opened. */
  hasLast: boolean
  /** The first metric of the source; without one a delivery is only stored. */
  metric: string | undefined
}

/** Waits for a delivery, and shows it once it is received. */
export function Arrival({ source: { source_id, state }, hasLast, metric }: ArrivalProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const last = useLastDelivery(source_id)
  const delivery = last.data
  const isPaused = state === 'paused'
  // A delivery that was there before is not announced, and only the first one is called that.
  const [hadLast] = useState(hasLast)
  const [firstShown, setFirstShown] = useState<string>()
  if (firstShown === undefined && delivery != null) setFirstShown(delivery.artifact_id)
  const isFirstShown = delivery?.artifact_id === firstShown
  return (
    <div className={classes.step}>
      <h2>3. {t('quick.arrive')}</h2>
      <LiveRegion>
        {delivery != null && !(hadLast && isFirstShown) && t('quick.came', { key: isolate(delivery.key) })}
      </LiveRegion>
      {last.error !== null && <Failure error={last.error} onRetry={() => void last.refetch()} />}
      {isPaused && (
        <Note tone="neutral" icon="pause" title={t('quick.isPaused')}>
          {t('pausedMeans')}
        </Note>
      )}
      {delivery != null ? (
        <Received delivery={delivery} isFirst={!hadLast && isFirstShown} metric={metric} />
      ) : delivery === undefined && hadLast ? (
        last.error === null && <Skeleton blocks={[{ width: 'wide', height: 160 }]} />
      ) : (
        !isPaused && <WaitingForFirst />
      )}
      <Below isReady={!last.isPending}>
        <p className="small">
          {t('quick.nothing')}{' '}
          <Link {...links.deliveries} search={{ source: source_id, tab: 'calls' }}>
            {t('quick.refusedCalls')}
          </Link>
        </p>
      </Below>
    </div>
  )
}

function WaitingForFirst() {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const [since] = useState(() => new Date().toISOString())
  const aside = <span className="small">{t('quick.since', { time: format.time(since) })}</span>
  return (
    <Waiting boxed title={t('quick.waiting')} aside={aside}>
      {t('quick.waitingText')}
    </Waiting>
  )
}

interface ReceivedProps {
  delivery: Delivery
  isFirst: boolean
  metric: string | undefined
}

function Received({ delivery, isFirst, metric }: ReceivedProps) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  const { sandbox, state, rows_accepted, rows_refused, received_at } = delivery
  const isCounted = state === 'parsed' && (rows_accepted ?? 0) > 0
  const inProduction = metric === undefined ? 'quick.inNone' : 'quick.inReports'
  const [accepted, refused] = [rows_accepted ?? 0, rows_refused ?? 0].map(format.count)
  return (
    <Card>
      <Section
        title={t(isFirst ? 'quick.first' : 'quick.last')}
        line={`${format.near(received_at, now)} · ${format.ago(received_at, now)}`}
        actions={<Actions delivery={delivery} metric={isCounted && !sandbox ? metric : undefined} />}
      >
        <Facts>
          <Fact name={t('quick.key')}>
            <code>{delivery.key}</code>
          </Fact>
          <Fact name={t('state')}>
            {state === 'parsed' && <PlainState>{t('quick.parsed')}</PlainState>}
            {state === 'queued' && <Badge tone="outline">{t('quick.queued')}</Badge>}
            {state === 'unreadable' && (
              <Badge tone="red" icon="warning">
                {t('unreadable')}
              </Badge>
            )}{' '}
            {sandbox && (
              <Badge tone="test" icon="test">
                {t('quick.test')}
              </Badge>
            )}
          </Fact>
          {rows_accepted !== null && (
            <Fact name={t('quick.rows')}>{t('quick.rowsText', { accepted, refused })}</Fact>
          )}
        </Facts>
        <Remarks remarks={delivery} />
        {isCounted && <p className="quiet">{t(sandbox ? 'quick.inTest' : inProduction)}</p>}
      </Section>
    </Card>
  )
}

interface ActionsProps {
  delivery: Delivery
  /** With a report to show. */
  metric: string | undefined
}

function Actions({ delivery: { artifact_id, source_id }, metric }: ActionsProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  return (
    <Buttons>
      {metric !== undefined && (
        <ButtonLink {...links.report(source_id, metric)} variant="primary" small>
          {t('metrics.seeReport')}
        </ButtonLink>
      )}
      <ButtonLink {...links.delivery(artifact_id)} small>
        {t('quick.open')}
      </ButtonLink>
    </Buttons>
  )
}
