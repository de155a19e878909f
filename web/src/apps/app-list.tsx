import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import type { Session } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Failure } from '../ui/failure.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { More } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AppCard } from './app-card.tsx'
import classes from './app-list.module.css'
import { type App, useApps } from './apps-query.ts'
import { twinOf } from './name-twins.ts'

/** The apps of a member, those whose access has ended too. */
export function AppList({ session }: { session: Session }) {
  const { t } = useTranslation('apps')
  const [ended, setEnded] = useState<App>()
  const [showsEnded, setShowsEnded] = useState(false)
  const list = useApps(session.member_id)
  const known = list.data?.pages.flatMap((page) => page.apps)
  const apps = known ?? []
  // The one that was ended just now stays in its place.
  const isFolded = ({ state, connection_id }: App): boolean =>
    state === 'ended' && connection_id !== ended?.connection_id
  const folded = apps.filter(isFolded)
  const active = apps.filter((app) => !isFolded(app))
  const onEnded = (app: App): void => setEnded(app)
  return (
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      <LiveRegion>{ended !== undefined && t('hasEnded', { app: isolate(ended.client_name) })}</LiveRegion>
      {list.isPending && <SkeletonRows rows={3} />}
      {known?.length === 0 && <Empty title={t('none')}>{t('noneText')}</Empty>}
      {active.length > 0 && <AppCards apps={active} among={apps} session={session} onEnded={onEnded} />}
      {folded.length > 0 && (
        <div>
          <Button
            variant="quiet"
            icon={showsEnded ? 'down' : 'right'}
            aria-expanded={showsEnded}
            onClick={() => setShowsEnded(!showsEnded)}
          >
            {showsEnded ? t('hideEnded') : t('showEnded', { count: folded.length })}
          </Button>
        </div>
      )}
      {showsEnded && folded.length > 0 && (
        <AppCards apps={folded} among={apps} session={session} onEnded={onEnded} />
      )}
      {list.isError && (
        <Failure error={list.error} {...(known === undefined && { onRetry: () => void list.refetch() })} />
      )}
      <More list={list} />
    </Page>
  )
}

/** @param among all that are known: those of one name are told apart */
function AppCards({
  apps,
  among,
  session,
  onEnded,
}: {
  apps: App[]
  among: App[]
  session: Session
  onEnded: (app: App) => void
}) {
  return (
    <ul className={classes.list}>
      {apps.map((app) => (
        <li key={app.connection_id}>
          <AppCard app={app} twin={twinOf(app, among)} session={session} onEnded={() => onEnded(app)} />
        </li>
      ))}
    </ul>
  )
}
