import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Loading } from '../ui/feedback/skeleton.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './app-calls.module.css'
import type { App } from './apps-query.ts'
import { type CallGroup, groupCalls } from './call-groups.ts'

const limit = '100'

function GroupLine({ group: { doing, call, refusal, company, count, newest } }: { group: CallGroup }) {
  const { t } = useTranslation('apps')
  const format = useFormat()
  const now = useNow()
  return (
    <li>
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

/** The calls that an app made, newest first. */
export function AppCalls({ app: { connection_id, client_name }, id }: { app: App; id: string }) {
  const { t } = useTranslation('apps')
  const list = usePages(
    ['calls', connection_id],
    (cursor) =>
      callApi('GET /console/apps/{connection_id}/calls', {
        path: { connection_id },
        query: { limit, ...cursor },
      }),
    // There may be new calls since the list was closed.
    { staleTime: 0 },
  )
  const format = useFormat()
  const toDay = (instant: string): string => format.today(Date.parse(instant))
  return (
    <Section id={id}>
      <h3 className={classes.title}>{t('callsOf', { app: isolate(client_name) })}</h3>
      <Loaded query={list} skeleton={<Loading />}>
        {({ pages }) => {
          const calls = pages.flatMap(({ calls }) => calls)
          if (calls.length === 0) return <p className="quiet">{t('noCalls')}</p>
          return (
            <ul className={classes.calls}>
              {groupCalls(calls, toDay).map((group) => (
                <GroupLine key={group.key} group={group} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <More list={list} />
    </Section>
  )
}
