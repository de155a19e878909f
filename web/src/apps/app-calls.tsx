import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Failure } from '../ui/failure.tsx'
import { More } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { Loading } from '../ui/skeleton.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './app-calls.module.css'
import type { App } from './apps-query.ts'
import { type CallGroup, groupCalls } from './call-groups.ts'

/** Calls in one page of the list. */
const pageSize = '100'

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

function GroupLine({ group }: { group: CallGroup }) {
  const { t } = useTranslation('apps')
  const format = useFormat()
  const now = useNow()
  const { doing, call, refusal, company, count, newest } = group
  return (
    <li className={classes.call}>
      <span>
        {doing === 'other' ? t('did.other', { call: isolate(call) }) : t(`did.${doing}`)}
        {count > 1 && <span className="quiet"> {t('times', { count })}</span>}
      </span>
      <time dateTime={newest} className="quiet">
        {format.near(newest, now)}
      </time>
      <span className="quiet">{company === null ? t('noCompany') : <bdi>{company.name}</bdi>}</span>
      {refusal !== undefined && <span className={classes.refused}>{t(`refusedBecause.${refusal}`)}</span>}
    </li>
  )
}

/** What an app has called, newest first. */
export function AppCalls({ app, id }: { app: App; id: string }) {
  const { t } = useTranslation('apps')
  const list = useCalls(app.connection_id)
  const format = useFormat()
  const dayOf = (instant: string): string => format.today(Date.parse(instant))
  const calls = list.data?.pages.flatMap((page) => page.calls) ?? []
  return (
    <Section id={id}>
      <h3 className={classes.title}>{t('callsOf', { app: isolate(app.client_name) })}</h3>
      {list.isPending && <Loading />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && calls.length === 0 && <p className="quiet">{t('noCalls')}</p>}
      {calls.length > 0 && (
        <ul className={classes.calls}>
          {groupCalls(calls, dayOf).map((group) => (
            <GroupLine key={group.key} group={group} />
          ))}
        </ul>
      )}
      <More list={list} />
    </Section>
  )
}
