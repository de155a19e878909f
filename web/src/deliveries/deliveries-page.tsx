import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useDeliveryChanges } from '../company/use-delivery-changes.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/deliveries.en.ts'
import { sv } from '../language/deliveries.sv.ts'
import { addTexts } from '../language/language.ts'
import { Below } from '../ui/below.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TabLink, Tabs } from '../ui/tabs.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './deliveries.module.css'
import { type DeliveriesSearch, without } from './deliveries-search.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { FilteredDeliveries } from './delivery-list.tsx'
import { changingKeys, refusedCallsQuery } from './delivery-queries.ts'
import { HeldContext, useHeld } from './held.ts'
import { LastOfEach, useLastOfEach } from './last-of-each.tsx'
import { RefusedCalls } from './refused-calls.tsx'
import { useRenewal } from './use-renewal.ts'

addTexts('deliveries', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/deliveries')

/** What came from each source, as it comes (`/companies/{id}/deliveries`). */
export function DeliveriesPage() {
  const { company_id } = useCompany()
  return <Deliveries key={company_id} />
}

function Deliveries() {
  const { t } = useTranslation('deliveries')
  const [isHeld, setHeld] = useState(false)
  return (
    <Page width="wide">
      <PageHead title={t('title')} line={t('intro')} actions={<Live isHeld={isHeld} onHold={setHeld} />} />
      <HeldContext value={isHeld}>
        <Lists />
      </HeldContext>
    </Page>
  )
}

function Lists() {
  const { company_id } = useCompany()
  const search = route.useSearch()
  const now = useNow()
  const { isKnown } = useLastOfEach()
  const calls = useInfiniteQuery({ ...refusedCallsQuery(company_id, callQueryOf(search)), ...useHeld() })
  return (
    <>
      <LastOfEach now={now} />
      <Below isReady={isKnown && !calls.isPending}>
        <DeliveryTabs refused={calls.data?.pages[0]?.count ?? null} />
        {search.tab === 'calls' ? (
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

/** On the other tab the number of refused calls is that of all. */
function callQueryOf({ tab, source, channel }: DeliveriesSearch): {
  source?: string
  channel?: 'push' | 'webhook' | 'read'
} {
  if (tab !== 'calls') return {}
  return { ...(source !== undefined && { source }), ...(channel !== undefined && { channel }) }
}

/** Whether what comes is shown at once. Held, it is shown when the person goes on. */
function Live({ isHeld, onHold }: { isHeld: boolean; onHold: (isHeld: boolean) => void }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const [isBehind, setBehind] = useState(false)
  const { renew, stop } = useRenewal(changingKeys(company_id))
  const silentSince = useDeliveryChanges(company_id, true, () => (isHeld ? setBehind(true) : renew()))
  const format = useFormat()
  const isLive = silentSince === undefined && !isHeld
  return (
    <>
      <span role="status" className={classes.live}>
        <span className={`${classes.dot} ${isLive ? '' : classes.dotHeld}`} />
        <span className={classes.liveText}>
          {silentSince === undefined
            ? t(isHeld ? (isBehind ? 'heldNew' : 'held') : 'live')
            : t('notLive', { time: format.time(new Date(silentSince).toISOString()) })}
        </span>
      </span>
      <Button
        icon={isHeld ? 'play' : 'pause'}
        onClick={() => {
          onHold(!isHeld)
          setBehind(false)
          if (isHeld) renew()
          else stop()
        }}
      >
        {t(isHeld ? 'goOn' : 'hold')}
      </Button>
    </>
  )
}

function DeliveryTabs({ refused }: { refused: number | null }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const format = useFormat()
  const search = route.useSearch()
  const to = { to: '/companies/$companyId/deliveries', params: { companyId: company_id } } as const
  return (
    <Tabs label={t('tabs')}>
      <TabLink
        {...to}
        search={without(search, 'tab')}
        activeOptions={{ exact: true, includeSearch: true }}
        resetScroll={false}
      >
        {t('allDeliveries')}
      </TabLink>
      <TabLink
        {...to}
        search={{ ...search, tab: 'calls' }}
        activeOptions={{ exact: true, includeSearch: true }}
        resetScroll={false}
      >
        {t('refusedCalls')}
        {refused !== null && refused > 0 && <span className={classes.count}>{format.count(refused)}</span>}
      </TabLink>
    </Tabs>
  )
}
