import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { en } from '../language/en/apps.ts'
import { sv } from '../language/sv/apps.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/controls/button.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { CardList } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { AppCard } from './app-card.tsx'
import { type App, useApps } from './apps-query.ts'
import { findTwin } from './name-twins.ts'

addTexts('apps', { en, sv })

/** What the member allows apps, and the button to end it (`/apps`). */
export function AppsPage() {
  const { t } = useTranslation('apps')
  const [ended, setEnded] = useState<App>()
  const list = useApps(useMember().member_id)
  return (
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      <LiveRegion>{ended !== undefined && t('hasEnded', { app: isolate(ended.client_name) })}</LiveRegion>
      <Loaded query={list} skeleton={<SkeletonRows rows={3} />}>
        {({ pages }) => (
          <AppList
            apps={pages.flatMap(({ apps }) => apps)}
            endedId={ended?.connection_id}
            onEnded={setEnded}
          />
        )}
      </Loaded>
      <More list={list} />
    </Page>
  )
}

/** @param props.endedId the app whose access was just ended: it stays in its place */
function AppList({
  apps,
  endedId,
  onEnded,
}: {
  apps: App[]
  endedId: string | undefined
  onEnded: (app: App) => void
}) {
  const { t } = useTranslation('apps')
  const [showsEnded, setShowsEnded] = useState(false)
  const isFolded = ({ state, connection_id }: App): boolean => state === 'ended' && connection_id !== endedId
  const folded = apps.filter(isFolded)
  const toCards = (some: App[]) => (
    <CardList>
      {some.map((app) => (
        <AppCard key={app.connection_id} app={app} twin={findTwin(app, apps)} onEnded={() => onEnded(app)} />
      ))}
    </CardList>
  )
  return (
    <>
      {apps.length === 0 && <Empty title={t('none')}>{t('noneText')}</Empty>}
      {folded.length < apps.length && toCards(apps.filter((app) => !isFolded(app)))}
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
      {showsEnded && folded.length > 0 && toCards(folded)}
    </>
  )
}
