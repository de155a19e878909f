import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { knownMetricsQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/sources.en.ts'
import { sv } from '../language/sources.sv.ts'
import { Below } from '../ui/below.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TabLink, Tabs } from '../ui/tabs.tsx'
import { PauseDialog } from './pause-dialog.tsx'
import { QuickStart } from './quick-start.tsx'
import { SourceMetrics } from './source-metrics.tsx'
import { type ShownSource, sourceQuery } from './source-query.ts'
import { SourceSettings } from './source-settings.tsx'
import { SourceState } from './source-state.tsx'
import { SourceVersions } from './source-versions.tsx'
import { useSourceAction } from './use-source-change.ts'

addTexts('sources', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/sources/$sourceId')

function useSource() {
  const { company_id } = useCompany()
  const { sourceId } = route.useParams()
  return useQuery(sourceQuery(company_id, sourceId))
}

/** One source (`/companies/{id}/sources/{id}`), with its parts below it. */
export function SourcePage() {
  const { sourceId } = route.useParams()
  return <OneSource key={sourceId} sourceId={sourceId} />
}

function OneSource({ sourceId }: { sourceId: string }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const { data, isPending } = useSource()
  const source = data?.source
  return (
    <Page>
      <PageHead
        title={<bdi>{source?.name ?? t('source')}</bdi>}
        tab={source?.name ?? t('source')}
        line={
          source && (
            <>
              <bdi>{source.system_kind}</bdi> · {t(source.delivery_way)} · {t(source.delivers)} ·{' '}
              {t('version', { version: source.shape_version })}
            </>
          )
        }
        path={
          <Path>
            <Link to="/companies/$companyId/sources" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <bdi>{source?.name ?? '…'}</bdi>
          </Path>
        }
        actions={data && <HeadActions data={data} />}
      />
      {isPending && skeleton}
      <Below isReady={!isPending}>
        <SourceTabs sourceId={sourceId} />
        {data && <SourceNotes data={data} />}
        <Outlet />
      </Below>
    </Page>
  )
}

function SourceTabs({ sourceId }: { sourceId: string }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const params = { companyId: company_id, sourceId }
  return (
    <Tabs label={t('tabs.label')}>
      <TabLink to="/companies/$companyId/sources/$sourceId" params={params} activeOptions={{ exact: true }}>
        {t('tabs.start')}
      </TabLink>
      <TabLink to="/companies/$companyId/sources/$sourceId/metrics" params={params}>
        {t('tabs.metrics')}
      </TabLink>
      <TabLink to="/companies/$companyId/sources/$sourceId/versions" params={params}>
        {t('tabs.versions')}
      </TabLink>
      <TabLink
        to="/companies/$companyId/deliveries"
        params={{ companyId: company_id }}
        search={{ source: sourceId }}
      >
        {t('tabs.deliveries')}
      </TabLink>
      <TabLink to="/companies/$companyId/sources/$sourceId/settings" params={params}>
        {t('tabs.settings')}
      </TabLink>
    </Tabs>
  )
}

/** How it is, and pausing or resuming it. */
function HeadActions({ data: { source, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const [isPausing, setIsPausing] = useState(false)
  const [said, setSaid] = useState('')
  const resume = useSourceAction(source.source_id)
  return (
    <>
      <LiveRegion>{said}</LiveRegion>
      <SourceState source={source} activity={activity} />
      {source.state === 'active' ? (
        <Button icon="pause" onClick={() => setIsPausing(true)}>
          {t('pause.do')}
        </Button>
      ) : (
        <Button
          icon="play"
          busy={resume.isPending}
          onClick={() =>
            resume.mutate('resume', {
              onSuccess: () => setSaid(t('resumed', { source: isolate(source.name) })),
            })
          }
        >
          {t('resume')}
        </Button>
      )}
      {resume.error !== null && <Failure error={resume.error} />}
      {isPausing && (
        <PauseDialog sourceId={source.source_id} name={source.name} onClose={() => setIsPausing(false)} />
      )}
    </>
  )
}

/** What holds for all of its parts: that it is paused, and how far a rebuild is. */
function SourceNotes({ data: { source, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { rebuild } = activity
  return (
    <>
      {source.state === 'paused' && (
        <Note tone="neutral" icon="pause" title={pausedTitle(source, t('pausedTitle'), t)}>
          {source.pause_reason !== null && t('pausedWhy', { reason: isolate(source.pause_reason) })}{' '}
          {source.paused_at !== null && t('pausedSince', { when: format.instant(source.paused_at) })}{' '}
          {t('pausedMeans')}
        </Note>
      )}
      <LiveRegion>{rebuild === null ? '' : t('rebuild.said')}</LiveRegion>
      {rebuild !== null && <RebuildNote rebuild={rebuild} />}
    </>
  )
}

type Source = ShownSource['source']
type Translate = ReturnType<typeof useTranslation<'sources'>>['t']

function pausedTitle({ paused_by }: Source, plain: string, t: Translate): string {
  return paused_by?.name == null ? plain : t('pausedByTitle', { who: isolate(paused_by.name) })
}

const [minuteS, hourS] = [60, 3_600]

/** About how long it still takes, in whole minutes or hours. */
function timeLeft(seconds: number, t: Translate): string {
  if (seconds < minuteS) return t('rebuild.secondsLeft')
  const minutes = Math.round(seconds / minuteS)
  return minutes < hourS / minuteS
    ? t('rebuild.minutesLeft', { count: minutes })
    : t('rebuild.hoursLeft', { count: Math.round(seconds / hourS) })
}

/** How far a rebuild is, as far as that is known. */
export function RebuildNote({ rebuild }: { rebuild: NonNullable<ShownSource['activity']['rebuild']> }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { state, done, total, seconds_left } = rebuild
  const isCounted = done !== null && state !== 'waiting' && total > 0
  return (
    <Note icon="repeat" title={t(`rebuild.${state}`)}>
      {isCounted && t('rebuild.done', { done: format.count(done), total: format.count(total) })}{' '}
      {seconds_left !== null && timeLeft(seconds_left, t)} {t('rebuild.old')}
      {isCounted && <progress value={done} max={total} aria-label={t(`rebuild.${state}`)} />}
    </Note>
  )
}

const skeleton = (
  <Skeleton
    blocks={[
      { width: 240, height: 24 },
      { width: 'wide', height: 120 },
      { width: 'wide', height: 320 },
    ]}
  />
)

function Tab({ children }: { children: (data: ShownSource) => ReactNode }) {
  // Names of metrics stand among other words.
  const { isPending } = useQuery(knownMetricsQuery)
  return (
    <Loaded query={useSource()} skeleton={skeleton}>
      {(data) => <Below isReady={!isPending}>{children(data)}</Below>}
    </Loaded>
  )
}

export function QuickStartTab() {
  return <Tab>{(data) => <QuickStart data={data} />}</Tab>
}

export function MetricsTab() {
  return <Tab>{(data) => <SourceMetrics data={data} />}</Tab>
}

export function VersionsTab() {
  return <Tab>{(data) => <SourceVersions data={data} />}</Tab>
}

export function SettingsTab() {
  return <Tab>{(data) => <SourceSettings data={data} />}</Tab>
}
