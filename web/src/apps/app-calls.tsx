import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/ask.ts'
import { formatInstant } from '../language/format-instant.ts'
import { isolate } from '../language/isolate.ts'
import { Section } from '../page/card.tsx'
import { Failure } from '../page/failure.tsx'
import { Loading } from '../page/loading.tsx'
import type { App } from './app-connection.tsx'
import classes from './app-calls.module.css'

const perPage = '20'

/** What an app has called, newest first. */
export const AppCalls = ({ app, id }: { app: App; id: string }) => {
  const { t, i18n } = useTranslation()
  const { connection_id } = app
  const pages = useInfiniteQuery({
    queryKey: ['calls', connection_id],
    queryFn: ({ pageParam: cursor }) =>
      ask('GET /console/apps/{connection_id}/calls', {
        path: { connection_id },
        query: { limit: perPage, ...(cursor === '' ? {} : { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Calls go on coming in.
    staleTime: 0,
  })
  const calls = pages.data?.pages.flatMap((page) => page.calls) ?? []
  return (
    <Section id={id}>
      <h3 className={classes.title}>{t('apps.callsOf', { app: isolate(app.client_name) })}</h3>
      {pages.isPending && <Loading />}
      {pages.isError && <Failure error={pages.error} onAgain={() => void pages.refetch()} />}
      {pages.isSuccess && calls.length === 0 && <p className="quiet">{t('apps.noCalls')}</p>}
      {calls.length > 0 && (
        <ul className={classes.calls}>
          {calls.map(({ call_id, method, path, status, code, company, called_at }) => (
            <li key={call_id} className={classes.call}>
              <code className={classes.path}>
                {method} {path}
              </code>
              <span className={status < 400 ? classes.done : classes.refused}>
                {status} {code}
              </span>
              <span className="quiet">
                {company === null ? t('apps.noCompany') : <bdi>{company.name}</bdi>}
              </span>
              <time dateTime={called_at} className="quiet">
                {formatInstant(i18n.language, called_at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {pages.hasNextPage && (
        <Button
          variant="default"
          size="sm"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('page.more')}
        </Button>
      )}
    </Section>
  )
}
