import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { formatInstant } from '../language/format-instant.ts'
import { isolate } from '../language/isolate.ts'
import { Failure } from '../ui/failure.tsx'
import { More } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { Loading } from '../ui/skeleton.tsx'
import classes from './app-calls.module.css'
import type { App } from './apps-query.ts'

type Call = ApiResponse<'GET /console/apps/{connection_id}/calls'>['calls'][number]

/** Calls in one page of the list. */
const pageSize = '20'

function useCalls(connection_id: string) {
  return useInfiniteQuery({
    queryKey: ['calls', connection_id],
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/apps/{connection_id}/calls', {
        path: { connection_id },
        query: { limit: pageSize, ...(cursor === '' ? {} : { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // New calls may have come in since the list was closed.
    staleTime: 0,
  })
}

function AppCall({ call: { method, path, status, code, company, called_at } }: { call: Call }) {
  const { t, i18n } = useTranslation()
  return (
    <li className={classes.call}>
      <code className={classes.path}>
        {method} {path}
      </code>
      <span className={status < 400 ? classes.done : classes.refused}>
        {status} {code}
      </span>
      <span className="quiet">{company === null ? t('apps.noCompany') : <bdi>{company.name}</bdi>}</span>
      <time dateTime={called_at} className="quiet">
        {formatInstant(i18n.language, called_at)}
      </time>
    </li>
  )
}

/** What an app has called, newest first. */
export function AppCalls({ app, id }: { app: App; id: string }) {
  const { t } = useTranslation()
  const list = useCalls(app.connection_id)
  const calls = list.data?.pages.flatMap((page) => page.calls) ?? []
  return (
    <Section id={id}>
      <h3 className={classes.title}>{t('apps.callsOf', { app: isolate(app.client_name) })}</h3>
      {list.isPending && <Loading />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && calls.length === 0 && <p className="quiet">{t('apps.noCalls')}</p>}
      {calls.length > 0 && (
        <ul className={classes.calls}>
          {calls.map((call) => (
            <AppCall key={call.call_id} call={call} />
          ))}
        </ul>
      )}
      <More list={list} />
    </Section>
  )
}
