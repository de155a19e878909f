import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import type { Session } from '../session/use-session.ts'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { AppCard } from './app-card.tsx'
import classes from './app-list.module.css'
import { useApps } from './apps-query.ts'

/** The apps of a member, those whose access has ended too. */
export function AppList({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [ended, setEnded] = useState<string>()
  const list = useApps(session.member_id)
  if (list.isPending) return <Loading />
  if (list.data === undefined) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const apps = list.data.pages.flatMap((page) => page.apps)
  return (
    <>
      <div className={classes.heading}>
        <PageTitle tab={t('apps.title')}>{t('apps.title')}</PageTitle>
        <p className="quiet">{t('apps.intro')}</p>
      </div>
      <p role="status" className="unseen">
        {ended !== undefined && t('apps.hasEnded', { app: isolate(ended) })}
      </p>
      {apps.length === 0 ? (
        <Card>
          <Section>
            <h2>{t('apps.none')}</h2>
            <p className="quiet">{t('apps.noneText')}</p>
          </Section>
        </Card>
      ) : (
        <ul className={classes.list}>
          {apps.map((app) => (
            <li key={app.connection_id}>
              <AppCard app={app} session={session} onEnded={() => setEnded(app.client_name)} />
            </li>
          ))}
        </ul>
      )}
      {list.isError && <Failure error={list.error} />}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('ui.more')}
        </Button>
      )}
    </>
  )
}
