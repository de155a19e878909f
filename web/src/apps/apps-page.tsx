import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/ask.ts'
import { isolate } from '../language/isolate.ts'
import { Card, Section } from '../page/card.tsx'
import { Failure } from '../page/failure.tsx'
import { Frame } from '../page/frame.tsx'
import { Loading } from '../page/loading.tsx'
import { PageTitle } from '../page/page-title.tsx'
import { SignIn } from '../session/sign-in.tsx'
import { type Session, useSession } from '../session/use-session.ts'
import { Who } from '../session/who.tsx'
import { AppConnection } from './app-connection.tsx'
import { appsKey } from './apps-key.ts'
import classes from './apps-page.module.css'

const AppList = ({ session }: { session: Session }) => {
  const { t } = useTranslation()
  const [ended, setEnded] = useState<string>()
  const pages = useInfiniteQuery({
    queryKey: appsKey(session.member_id),
    queryFn: ({ pageParam: cursor }) => ask('GET /console/apps', { query: cursor === '' ? {} : { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  if (pages.isPending) return <Loading />
  if (pages.isError && pages.data === undefined) {
    return <Failure error={pages.error} onAgain={() => void pages.refetch()} />
  }
  const apps = pages.data.pages.flatMap((page) => page.apps)
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
              <AppConnection app={app} session={session} onEnded={() => setEnded(app.client_name)} />
            </li>
          ))}
        </ul>
      )}
      {pages.isError && <Failure error={pages.error} />}
      {pages.hasNextPage && (
        <Button
          variant="default"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('page.more')}
        </Button>
      )}
    </>
  )
}

/** What the member allows apps, and the way to end it (`/apps`). */
export const AppsPage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useSession()
  if (data === undefined) {
    return (
      <Frame>{error === null ? <Loading /> : <Failure error={error} onAgain={() => void refetch()} />}</Frame>
    )
  }
  if (data.session === null) {
    return (
      <Frame>
        <SignIn intro={t('signIn.intro')} ended={data.ended} />
      </Frame>
    )
  }
  return (
    <Frame who={<Who session={data.session} />}>
      <AppList key={data.session.member_id} session={data.session} />
    </Frame>
  )
}
