import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Company } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { Note } from '../ui/feedback/note.tsx'
import classes from './notices.module.css'

/** Says on every page of a company that is to be deleted when that is. */
export function DeletionNotice({ company: { company_id, deletes_after, role } }: { company: Company }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (deletes_after === null) return null
  return (
    <section className={classes.notices} aria-label={t('deletion.label')}>
      <Note
        tone="red"
        title={t('deletion.title', { day: format.day(deletes_after) })}
        {...(role === 'owner' && {
          action: (
            <Link
              to="/companies/$companyId/members"
              params={{ companyId: company_id }}
              search={{ part: 'company' }}
            >
              {t('deletion.show')}
            </Link>
          ),
        })}
      >
        {t('deletion.text')}
      </Note>
    </section>
  )
}
