import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Note } from '../ui/feedback/note.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { type Member, renewMembers } from './members-query.ts'
import { useMemberName } from './use-member-name.ts'

/** Removes another member. */
export function EndMembership({
  member,
  onClose,
}: {
  member: Member
  onClose: (announcement?: string) => void
}) {
  const { t } = useTranslation('members')
  const { company_id, name: company } = useCompany()
  const client = useQueryClient()
  const { member_id, signed_connections: count } = member
  const name = isolate(useMemberName()(member))
  const end = useWrite('DELETE /console/companies/{company_id}/members/{member_id}', {
    onSuccess: async () => {
      // Their row goes first, so that the focus does not return to it.
      await renewMembers(client, company_id)
      onClose(t('end.done', { name }))
    },
  })
  const isLastOwner = end.error instanceof ApiError && end.error.status === 409
  return (
    <ConfirmDialog
      title={t('end.title', { name })}
      keep={t('end.keep')}
      confirm={t('end.do')}
      action={end}
      failed={!isLastOwner && t('end.failed')}
      onConfirm={() => end.mutate({ path: { company_id, member_id } })}
      onClose={() => onClose()}
    >
      <p>{t('end.text', { company: isolate(company) })}</p>
      {/* These keep working without the member who signed them. */}
      {count > 0 && (
        <Note
          tone="amber"
          icon="connection"
          action={
            <Link
              to="/companies/$companyId/connections"
              params={{ companyId: company_id }}
              search={{ maker: member_id, state: 'signed' }}
            >
              {t('end.show')}
            </Link>
          }
        >
          {t('end.holds', { count })}
        </Note>
      )}
      {isLastOwner && (
        <Note tone="amber" icon="warning" role="alert">
          {t('lastOwner')}
        </Note>
      )}
    </ConfirmDialog>
  )
}
