import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { Remarks } from '../company/remarks.tsx'
import { useDeliveryChanges } from '../company/use-delivery-changes.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { Buttons } from '../ui/button.tsx'
import { Below } from '../ui/below.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { LiveRegion, Waiting } from '../ui/live.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './quick-start.module.css'

type Delivery = ApiResponse<'GET /console/companies/{company_id}/deliveries'>['deliveries'][number]

/** The source's last delivery, asked for again whenever something has come to the company or was parsed. */
function useLastDelivery(sourceId: string) {
  const { company_id } = useCompany()
  const client = useQueryClient()
  const queryKey = companyKey(company_id, 'sources', sourceId, 'arrival')
  const query = useQuery({
    queryKey,
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries', {
        path: { company_id },
        query: { source: sourceId, limit: '1' },
      }).then(({ deliveries }) => deliveries[0] ?? null),
  })
  useDeliveryChanges(company_id, true, () => void client.invalidateQueries({ queryKey }))
  const { data } = query
  const arrived = data && `${data.artifact_id} ${data.state}`
  useEffect(() => {
    // What is said of the source changes with it.
    if (arrived == null) return
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'sources', sourceId), exact: true })
  }, [client, company_id, sourceId, arrived])
  return query
}

/** Waits for a delivery, and shows it when it comes. */
export function Arrival({
  sourceId,
  isPaused,
  hasLast,
  metric,
}: {
  sourceId: string
  isPaused: boolean
  hasLast: boolean
  /** The first that it counts; without one a delivery is stored and nothing comes of it. */
  metric: string | undefined
}) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const [since] = useState(() => new Date().toISOString())
  const last = useLastDelivery(sourceId)
  const delivery = last.data
  // What was there when the page was opened has not just come, and what comes after the first is not the first.
  const [hadLast] = useState(hasLast)
  const [firstShown, setFirstShown] = useState<string>()
  if (firstShown === undefined && delivery != null) setFirstShown(delivery.artifact_id)
  const isFirstShown = delivery?.artifact_id === firstShown
  const { company_id } = useCompany()
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
      {delivery === undefined && hadLast ? (
        last.error === null && <Skeleton blocks={[{ width: 'wide', height: 160 }]} />
      ) : delivery == null ? (
        !isPaused && (
          <Waiting
            boxed
            title={t('quick.waiting')}
            aside={<span className="small">{t('quick.since', { time: format.time(since) })}</span>}
          >
            {t('quick.waitingText')}
          </Waiting>
        )
      ) : (
        <Came delivery={delivery} isFirst={!hadLast && isFirstShown} metric={metric} />
      )}
      <Below isReady={!last.isPending}>
        <p className="small">
          {t('quick.nothing')}{' '}
          <Link
            to="/companies/$companyId/deliveries"
            params={{ companyId: company_id }}
            search={{ source: sourceId, tab: 'calls' }}
          >
            {t('quick.refusedCalls')}
          </Link>
        </p>
      </Below>
    </div>
  )
}

function Came({
  delivery,
  isFirst,
  metric,
}: {
  delivery: Delivery
  isFirst: boolean
  metric: string | undefined
}) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  const { sandbox, state, rows_accepted, rows_refused, received_at } = delivery
  const isCounted = state === 'parsed' && (rows_accepted ?? 0) > 0
  return (
    <Card>
      <Section
        title={t(isFirst ? 'quick.first' : 'quick.last')}
        line={`${format.near(received_at, now)} · ${format.ago(received_at, now)}`}
        actions={<WhereTo delivery={delivery} metric={isCounted && !sandbox ? metric : undefined} />}
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
            <Fact name={t('quick.rows')}>
              {t('quick.rowsText', {
                accepted: format.count(rows_accepted),
                refused: format.count(rows_refused ?? 0),
              })}
            </Fact>
          )}
        </Facts>
        <Remarks remarks={delivery} />
        {isCounted && (
          <p className="quiet">
            {t(sandbox ? 'quick.inTest' : metric !== undefined ? 'quick.inReports' : 'quick.inNone')}
          </p>
        )}
      </Section>
    </Card>
  )
}

/** Leads to its figures, where there are any, and to the delivery itself. */
function WhereTo({
  delivery: { artifact_id, source_id },
  metric,
}: {
  delivery: Delivery
  metric: string | undefined
}) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  return (
    <Buttons>
      {metric !== undefined && (
        <ButtonLink
          to="/companies/$companyId/reports/$sourceId/$metric"
          params={{ companyId: company_id, sourceId: source_id, metric }}
          variant="primary"
          small
        >
          {t('metrics.seeReport')}
        </ButtonLink>
      )}
      <ButtonLink
        to="/companies/$companyId/deliveries/$artifactId"
        params={{ companyId: company_id, artifactId: artifact_id }}
        small
      >
        {t('quick.open')}
      </ButtonLink>
    </Buttons>
  )
}
