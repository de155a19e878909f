import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import type { Company } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { en } from '../language/en.ts'
import { useMember } from '../session/member.ts'
import { type Session, renewSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Row } from '../ui/page.tsx'
import { focusTitle } from '../ui/page-title.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './notices.module.css'

type Event = Session['notices'][number]['event']

/** What an owner should know of: who was given access, in lines that stay until the owner dismisses them. */
export function Notices({ company }: { company: Company }) {
  const { t } = useTranslation()
  const { csrf_token, notices } = useMember()
  const client = useQueryClient()
  const format = useFormat()
  const now = useNow()
  const sentenceOf = useSentence()
  const { company_id } = company
  const events = notices.filter((notice) => notice.company_id === company_id).map(({ event }) => event)
  const dismiss = useMutation({
    mutationFn: (through: string) =>
      callApi(
        'POST /console/companies/{company_id}/notices/dismiss',
        { path: { company_id }, body: { through } },
        csrf_token,
      ),
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
            <Button small busy={dismiss.isPending} onClick={() => dismiss.mutate(last.event_id)}>
              {t('notices.dismiss')}
            </Button>
          </Row>
        }
      >
        <ul className={classes.list}>
          {events.map((event) => (
            <li key={event.event_id}>
              {sentenceOf(event)} <span className="small">{format.near(event.at, now)}</span>
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
    // The service may know more than this page.
    return action in en.notices.did
      ? t(`notices.did.${action as keyof typeof en.notices.did}`, { who, name })
      : t('notices.other', { who, action })
  }
}
