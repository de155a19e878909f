import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { defined } from '../company/defined.ts'
import { useDeliveryChanges } from '../company/use-delivery-changes.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { en } from '../language/en/deliveries.ts'
import { sv } from '../language/sv/deliveries.ts'
import { addTexts } from '../language/language.ts'
import { Below } from '../ui/layout/below.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { TabLink, Tabs } from '../ui/layout/tabs.tsx'
import { useNow } from '../ui/use-now.ts'
import { applyChanges } from './apply-changes.ts'
import { liveKey, refusedCallsQuery } from './delivery-queries.ts'
import classes from './list/deliveries.module.css'
import { DeliveryFilters } from './list/delivery-filters.tsx'
import { FilteredDeliveries } from './list/delivery-list.tsx'
import { LastOfEach, useLastOfEach } from './list/last-of-each.tsx'
import { LivePauseContext, useLivePause } from './list/live-pause.ts'
import { RefusedCalls } from './list/refused-calls.tsx'
import { useRenewal } from './list/use-renewal.ts'

addTexts('deliveries', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** The deliveries of all sources, live (`/companies/{id}/deliveries`). */
export function DeliveriesPage() {
  const { company_id } = useCompany()
  return <Deliveries key={company_id} />
}

function Deliveries() {
  const { t } = useTranslation('deliveries')
  const [isPaused, setPaused] = useState(false)
  const live = <Live isPaused={isPaused} onPause={setPaused} />
  return (
    <Page width="wide">
      <PageHead title={t('title')} line={t('intro')} actions={live} />
      <LivePauseContext value={isPaused}>
        <Lists />
      </LivePauseContext>
    </Page>
  )
}

function Lists() {
  const { company_id } = useCompany()
  const { tab, source, channel } = route.useSearch()
  const now = useNow()
  const { isPending } = useLastOfEach()
  // On the other tab the number of refused calls is that of all.
  const query = tab === 'calls' ? defined({ source, channel }) : {}
  const calls = useInfiniteQuery({ ...refusedCallsQuery(company_id, query), ...useLivePause() })
  return (
    <>
      <LastOfEach now={now} />
      <Below isReady={!isPending && !calls.isPending}>
        <DeliveryTabs refused={calls.data?.pages[0]?.count ?? null} />
        {tab === 'calls' ? (
          <RefusedCalls calls={calls} now={now} />
        ) : (
          <>
            <DeliveryFilters />
            <FilteredDeliveries now={now} />
          </>
        )}
      </Below>
    </>
  )
}

/** Whether new deliveries are shown as they are received, and the button that pauses that. */
function Live({ isPaused, onPause }: { isPaused: boolean; onPause: (isPaused: boolean) => void }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const [isBehind, setBehind] = useState(false)
  const { renew, stop } = useRenewal(liveKey(company_id))
  const client = useQueryClient()
  const calls = useRenewal(liveKey(company_id, 'refused-calls'))
  const silentSince = useDeliveryChanges(company_id, true, (changes) => {
    if (isPaused) setBehind(true)
    else if (changes === undefined || !applyChanges(client, company_id, changes.deliveries)) renew()
    else if (changes.refusedCalls) calls.renew()
  })
  const format = useFormat()
  const isLive = silentSince === undefined && !isPaused
  const toggle = (): void => {
    onPause(!isPaused)
    setBehind(false)
    if (isPaused) renew()
    else stop()
  }
  return (
    <>
      <span role="status" className={`small ${classes.live}`}>
        <span className={`${classes.dot} ${isLive ? '' : classes.dotPaused}`} />
        <span className={classes.liveText}>
          {silentSince === undefined
            ? t(isPaused ? (isBehind ? 'pausedNew' : 'paused') : 'live')
            : t('notLive', { time: format.time(new Date(silentSince).toISOString()) })}
        </span>
      </span>
      <Button icon={isPaused ? 'play' : 'pause'} onClick={toggle}>
        {t(isPaused ? 'resume' : 'pause')}
      </Button>
    </>
  )
}

function DeliveryTabs({ refused }: { refused: number | null }) {
  const { t } = useTranslation('deliveries')
  const { deliveries } = useLinks()
  const format = useFormat()
  const search = route.useSearch()
  const activeOptions = { exact: true, includeSearch: true }
  const tab = { ...deliveries, activeOptions, resetScroll: false }
  return (
    <Tabs label={t('tabs')}>
      <TabLink {...tab} search={{ ...search, tab: undefined }}>
        {t('allDeliveries')}
      </TabLink>
      <TabLink {...tab} search={{ ...search, tab: 'calls' }}>
        {t('refusedCalls')}
        {refused !== null && refused > 0 && <span className={classes.count}>{format.count(refused)}</span>}
      </TabLink>
    </Tabs>
  )
}
