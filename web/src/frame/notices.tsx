import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { en } from '../language/en/frame.ts'
import { useMember } from '../session/member.ts'
import { type Session, renewSession } from '../session/use-session.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Row } from '../ui/layout/page.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './notices.module.css'

type Event = Session['notices'][number]['event']

/** Tells an owner who was given access, until they dismiss it. */
export function Notices({ company: { company_id } }: { company: Company }) {
  const { t } = useTranslation()
  const { notices } = useMember()
  const client = useQueryClient()
  const format = useFormat()
  const now = useNow()
  const toSentence = useSentence()
  const events = notices.filter((notice) => notice.company_id === company_id).map(({ event }) => event)
  const dismiss = useWrite('POST /console/companies/{company_id}/notices/dismiss', {
    onSuccess: async () => {
      await renewSession(client)
      focusTitle()
    },
  })
  const last = events.at(-1)
  if (last === undefined) return null
  return (
    <section className={classes.notices} aria-label={t('notices.label')}>
      <Note
        tone="neutral"
        action={
          <Row>
            <Link
              to="/companies/$companyId/members"
              params={{ companyId: company_id }}
              search={{ part: 'history' }}
            >
              {t('notices.all')}
            </Link>
            <Button
              small
              busy={dismiss.isPending}
              onClick={() => dismiss.mutate({ path: { company_id }, body: { through: last.event_id } })}
            >
              {t('notices.dismiss')}
            </Button>
          </Row>
        }
      >
        <ul className="plain">
          {events.map((event) => (
            <li key={event.event_id}>
              {toSentence(event)} <span className="small">{format.near(event.at, now)}</span>
            </li>
          ))}
        </ul>
      </Note>
      {dismiss.error !== null && <Failure error={dismiss.error} />}
    </section>
  )
}

function useSentence(): (event: Event) => string {
  const { t } = useTranslation()
  return ({ action, member, subject }) => {
    const who = member === null ? t('notices.operator') : isolate(member.name ?? t('notices.someone'))
    const name = subject.name === null ? t('notices.someone') : isolate(subject.name)
    // A newer service may have more actions.
    return action in en.notices.did
      ? t(`notices.did.${action as keyof typeof en.notices.did}`, { who, name })
      : t('notices.other', { who, action })
  }
}
