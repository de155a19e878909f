import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import type { Session } from '../session/use-session.ts'
import { Empty } from '../ui/empty-start.tsx'
import { Failure } from '../ui/failure.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { More } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AppCard } from './app-card.tsx'
import classes from './app-list.module.css'
import { useApps } from './apps-query.ts'

/** The apps of a member, those whose access has ended too. */
export function AppList({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [ended, setEnded] = useState<string>()
  const list = useApps(session.member_id)
  const apps = list.data?.pages.flatMap((page) => page.apps)
  return (
    <Page width="form">
      <PageHead title={t('apps.title')} line={t('apps.intro')} />
      <LiveRegion>{ended !== undefined && t('apps.hasEnded', { app: isolate(ended) })}</LiveRegion>
      {list.isPending && <SkeletonRows rows={3} />}
      {apps?.length === 0 && <Empty title={t('apps.none')}>{t('apps.noneText')}</Empty>}
      {apps !== undefined && apps.length > 0 && (
        <ul className={classes.list}>
          {apps.map((app) => (
            <li key={app.connection_id}>
              <AppCard app={app} session={session} onEnded={() => setEnded(app.client_name)} />
            </li>
          ))}
        </ul>
      )}
      {list.isError && (
        <Failure error={list.error} {...(apps === undefined && { onRetry: () => void list.refetch() })} />
      )}
      <More list={list} />
    </Page>
  )
}
