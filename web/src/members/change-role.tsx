import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { useRecentSignIn } from '../session/sign-in-again.ts'
import { renewSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { type Member, renewMembers } from './members-query.ts'
import { RoleChoice } from './role-choice.tsx'
import { useMemberName } from './use-member-name.ts'

/** Gives a member another role. */
export function ChangeRole({
  member,
  isLastOwner,
  onClose,
}: {
  member: Member
  isLastOwner: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('members')
  const { t: base } = useTranslation()
  const { company_id } = useCompany()
  const { member_id: own } = useMember()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  const nameOf = useMemberName()
  const [role, setRole] = useState(member.role)
  const { member_id } = member
  const change = useMutation({
    mutationFn: () =>
      withRecentSignIn((csrfToken) =>
        callApi(
          'PATCH /console/companies/{company_id}/members/{member_id}',
          { path: { company_id, member_id }, body: { role } },
          csrfToken,
        ),
      ),
    onSuccess: () => {
      onClose()
      void renewMembers(client, company_id)
      // The pages that one's own role opens.
      if (member_id === own) void renewSession(client)
    },
  })
  const staysOwner = isLastOwner || (change.error instanceof ApiError && change.error.status === 409)
  return (
    <Dialog
      title={t('change.title', { name: isolate(nameOf(member)) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{base('ui.cancel')}</Button>
          {!isLastOwner && (
            <Button
              variant="primary"
              busy={change.isPending}
              onClick={() => (role === member.role ? onClose() : change.mutate())}
            >
              {t('change.do')}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        {staysOwner ? (
          <Note tone="amber" icon="warning" role="alert">
            {t('lastOwner')}
          </Note>
        ) : (
          change.error && <Failure error={change.error} title={t('change.failed')} />
        )}
        {!isLastOwner && <RoleChoice role={role} onChange={setRole} />}
        {member_id === own && role !== 'owner' && <Note tone="amber">{t('change.own')}</Note>}
      </Stack>
    </Dialog>
  )
}
