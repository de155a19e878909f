import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { LiveRegion, Waiting } from '../ui/live.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './quick-start.module.css'

type Delivery = ApiResponse<'GET /console/companies/{company_id}/deliveries'>['deliveries'][number]

/** How soon a delivery is here after it was sent, while the page is looked at. */
const pollMs = 2_000

/** The source's last delivery, asked for again and again. */
function useLastDelivery(sourceId: string) {
  const { company_id } = useCompany()
  return useQuery({
    queryKey: companyKey(company_id, 'sources', sourceId, 'arrival'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries', {
        path: { company_id },
        query: { source: sourceId, limit: '1' },
      }).then(({ deliveries }) => deliveries[0] ?? null),
    refetchInterval: pollMs,
  })
}

/** Waits for a delivery, and shows it when it comes. */
export function Arrival({
  sourceId,
  isPaused,
  hasLast,
  hasMetrics,
}: {
  sourceId: string
  isPaused: boolean
  hasLast: boolean
  /** Otherwise a delivery is stored and nothing comes of it. */
  hasMetrics: boolean
}) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const [since] = useState(() => new Date().toISOString())
  const last = useLastDelivery(sourceId)
  const delivery = last.data
  const { company_id } = useCompany()
  return (
    <div className={classes.step}>
      <h2>3. {t('quick.arrive')}</h2>
      <LiveRegion>{delivery != null && t('quick.came', { key: isolate(delivery.key) })}</LiveRegion>
      {last.error !== null && <Failure error={last.error} onRetry={() => void last.refetch()} />}
      {isPaused && (
        <Note tone="neutral" icon="pause" title={t('quick.isPaused')}>
          {t('pausedMeans')}
        </Note>
      )}
      {delivery == null ? (
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
        <Came delivery={delivery} isFirst={!hasLast} hasMetrics={hasMetrics} />
      )}
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
    </div>
  )
}

function Came({
  delivery,
  isFirst,
  hasMetrics,
}: {
  delivery: Delivery
  isFirst: boolean
  hasMetrics: boolean
}) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const format = useFormat()
  const now = useNow()
  const { artifact_id, sandbox, state, rows_accepted, rows_refused, received_at } = delivery
  return (
    <Card>
      <Section
        title={t(isFirst ? 'quick.first' : 'quick.last')}
        line={`${format.near(received_at, now)} · ${format.ago(received_at, now)}`}
        actions={
          <ButtonLink
            to="/companies/$companyId/deliveries/$artifactId"
            params={{ companyId: company_id, artifactId: artifact_id }}
            small
          >
            {t('quick.open')}
          </ButtonLink>
        }
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
        {state === 'parsed' && (rows_accepted ?? 0) > 0 && (
          <p className="quiet">
            {t(sandbox ? 'quick.inTest' : hasMetrics ? 'quick.inReports' : 'quick.inNone')}
          </p>
        )}
      </Section>
    </Card>
  )
}
