import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { type Member, renewMembers } from './members-query.ts'
import { useMemberName } from './use-member-name.ts'

/** Removes a member, or leaves the company. */
export function EndMembership({
  member,
  isLastOwner,
  onClose,
}: {
  member: Member
  isLastOwner: boolean
  onClose: (said?: string) => void
}) {
  const { t } = useTranslation('members')
  const { name: company } = useCompany()
  const isOwn = member.member_id === useMember().member_id
  const nameOf = useMemberName()
  const name = isolate(nameOf(member))
  const end = useEnd(member.member_id, isOwn, () => onClose(t('end.done', { name })))
  const stays = isLastOwner || (end.error instanceof ApiError && end.error.status === 409)
  return (
    <Dialog
      title={isOwn ? t('end.titleOwn', { company: isolate(company) }) : t('end.title', { name })}
      onClose={() => onClose()}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('end.keep')}</Button>
          {!isLastOwner && (
            <Button variant="dangerPrimary" busy={end.isPending} onClick={() => end.mutate()}>
              {t(isOwn ? 'end.doOwn' : 'end.do')}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        {stays ? (
          <Note tone="amber" icon="warning" role="alert">
            {t('lastOwner')}
          </Note>
        ) : (
          <>
            <p>{isOwn ? t('end.textOwn') : t('end.text', { company: isolate(company) })}</p>
            {member.signed_connections > 0 && <StillHeld member={member} isOwn={isOwn} />}
            {end.error && <Failure error={end.error} title={t('end.failed')} />}
          </>
        )}
      </Stack>
    </Dialog>
  )
}

/** Connections that go on working without whoever signed them. */
function StillHeld({ member, isOwn }: { member: Member; isOwn: boolean }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const { member_id, signed_connections: count } = member
  return (
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
      {t(isOwn ? 'end.holdsOwn' : 'end.holds', { count })}
    </Note>
  )
}

/** Ends it: one's own leads to the companies that are left. */
function useEnd(member_id: string, isOwn: boolean, onEnded: () => void) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () =>
      callApi(
        'DELETE /console/companies/{company_id}/members/{member_id}',
        { path: { company_id, member_id } },
        csrf_token,
      ),
    onSuccess: async () => {
      if (isOwn) {
        await navigate({ to: '/' })
        await renewSession(client)
      } else {
        onEnded()
        renewMembers(client, company_id)
      }
    },
  })
}
