import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate, Outlet, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { knownMetricsQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/sources.ts'
import { sv } from '../language/sv/sources.ts'
import { Below } from '../ui/layout/below.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead, Path } from '../ui/layout/page-head.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { TabLink, Tabs } from '../ui/layout/tabs.tsx'
import type { ShownSource } from './declaration.ts'
import { Overview } from './one/overview.tsx'
import { QuickStart } from './one/quick-start.tsx'
import { SourceMetrics } from './one/source-metrics.tsx'
import { SourceSettings } from './one/source-settings.tsx'
import { SourceVersions } from './one/source-versions.tsx'
import { PauseDialog } from './pause-dialog.tsx'
import { useSourceAction } from './source-actions.ts'
import { sourceQuery } from './source-query.ts'
import { SourceState } from './source-state.tsx'

addTexts('sources', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/sources/$sourceId')

function useSource() {
  const { company_id } = useCompany()
  const { sourceId } = route.useParams()
  return useQuery(sourceQuery(company_id, sourceId))
}

/** One source (`/companies/{id}/sources/{id}`), with its tabs. */
export function SourcePage() {
  const { sourceId } = route.useParams()
  return <OneSource key={sourceId} sourceId={sourceId} />
}

function OneSource({ sourceId }: { sourceId: string }) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const { data, isPending } = useSource()
  const source = data?.source
  const line = source && (
    <>
      <bdi>{source.system_kind}</bdi> · {t(source.channel)} · {t(source.delivers)} ·{' '}
      {t('version', { version: source.shape_version })}
    </>
  )
  return (
    <Page>
      <PageHead
        title={<bdi>{source?.name ?? t('source')}</bdi>}
        tab={source?.name ?? t('source')}
        line={line}
        path={
          <Path>
            <Link {...links.sources}>{t('title')}</Link>
            <bdi>{source?.name ?? '…'}</bdi>
          </Path>
        }
        actions={data && <HeadActions data={data} />}
      />
      {isPending && skeleton}
      <Below isReady={!isPending}>
        <SourceTabs
          sourceId={sourceId}
          hasDeliveries={data != null && data.activity.last_delivery !== null}
        />
        {data && <SourceNotes data={data} />}
        <Outlet />
      </Below>
    </Page>
  )
}

function SourceTabs({ sourceId, hasDeliveries }: { sourceId: string; hasDeliveries: boolean }) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  return (
    <Tabs label={t('tabs.label')}>
      {hasDeliveries && (
        <TabLink {...links.source(sourceId)} activeOptions={{ exact: true }}>
          {t('tabs.overview')}
        </TabLink>
      )}
      <TabLink {...links.sourceStart(sourceId)}>{t('tabs.start')}</TabLink>
      <TabLink {...links.sourceMetrics(sourceId)}>{t('tabs.metrics')}</TabLink>
      <TabLink {...links.sourceVersions(sourceId)}>{t('tabs.versions')}</TabLink>
      <TabLink {...links.deliveries} search={{ source: sourceId }}>
        {t('tabs.deliveries')}
      </TabLink>
      <TabLink {...links.sourceSettings(sourceId)}>{t('tabs.settings')}</TabLink>
    </Tabs>
  )
}

/** The source's state, and the button that pauses or resumes it. */
function HeadActions({ data: { source, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const navigate = useNavigate()
  const isPausing = route.useSearch().ask === 'pause' && source.state === 'active'
  const ask = (ask: 'pause' | undefined): void =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, ask }), replace: true })
  const [said, setSaid] = useState('')
  const { mutate, error, isPending } = useSourceAction(source.source_id)
  const onResumed = (): void => setSaid(t('resumed', { source: isolate(source.name) }))
  return (
    <>
      <LiveRegion>{said}</LiveRegion>
      <SourceState source={source} activity={activity} />
      {source.state === 'active' ? (
        <Button icon="pause" onClick={() => ask('pause')}>
          {t('pause.do')}
        </Button>
      ) : (
        <Button icon="play" busy={isPending} onClick={() => mutate('resume', { onSuccess: onResumed })}>
          {t('resume')}
        </Button>
      )}
      {error !== null && <Failure error={error} />}
      {isPausing && <PauseDialog source={source} onClose={() => ask(undefined)} />}
    </>
  )
}

/** That it is paused, and the progress of its rebuild. */
function SourceNotes({ data: { source, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { state, pause_reason, paused_at, paused_by } = source
  const { rebuild } = activity
  const title =
    paused_by?.name == null ? t('pausedTitle') : t('pausedByTitle', { who: isolate(paused_by.name) })
  return (
    <>
      {state === 'paused' && (
        <Note tone="neutral" icon="pause" title={title}>
          {pause_reason !== null && t('pausedWhy', { reason: isolate(pause_reason) })}{' '}
          {paused_at !== null && t('pausedSince', { when: format.instant(paused_at) })} {t('pausedMeans')}
        </Note>
      )}
      <LiveRegion>{rebuild === null ? '' : t('rebuild.started')}</LiveRegion>
      {rebuild !== null && <RebuildNote rebuild={rebuild} />}
    </>
  )
}

function RebuildNote({ rebuild }: { rebuild: NonNullable<ShownSource['activity']['rebuild']> }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { state, done, total, seconds_left } = rebuild
  const isCounted = done !== null && state !== 'waiting' && total > 0
  const title = t(state === 'waiting' ? 'rebuild.waiting' : 'rebuild.running')
  return (
    <Note icon="repeat" title={title}>
      {isCounted && t('rebuild.done', { done: format.count(done), total: format.count(total) })}{' '}
      {seconds_left !== null && t('rebuild.left', { time: format.length(seconds_left * 1_000) })}{' '}
      {t('rebuild.old')}
      {isCounted && <progress value={done} max={total} aria-label={title} />}
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
  // Names of metrics are part of sentences.
  const { isPending } = useQuery(knownMetricsQuery)
  return (
    <Loaded query={useSource()} skeleton={skeleton}>
      {(data) => <Below isReady={!isPending}>{children(data)}</Below>}
    </Loaded>
  )
}

/** Without a delivery there is only the quick start. */
export function OverviewTab() {
  const links = useLinks()
  return (
    <Tab>
      {(data) =>
        data.activity.last_delivery === null ? (
          <Navigate {...links.sourceStart(data.source.source_id)} search replace />
        ) : (
          <Overview data={data} />
        )
      }
    </Tab>
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
