import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { type Member, renewMembers } from './members-query.ts'
import { useMemberName } from './use-member-name.ts'

/** Removes another member. */
export function EndMembership({ member, onClose }: { member: Member; onClose: (said?: string) => void }) {
  const { t } = useTranslation('members')
  const { company_id, name: company } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const { member_id } = member
  const name = isolate(useMemberName()(member))
  const end = useMutation({
    mutationFn: () =>
      callApi(
        'DELETE /console/companies/{company_id}/members/{member_id}',
        { path: { company_id, member_id } },
        csrf_token,
      ),
    onSuccess: async () => {
      // Their row goes first, so that the focus is not given back to it.
      await renewMembers(client, company_id)
      onClose(t('end.done', { name }))
    },
  })
  return (
    <Dialog
      title={t('end.title', { name })}
      onClose={() => onClose()}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('end.keep')}</Button>
          <Button variant="dangerPrimary" busy={end.isPending} onClick={() => end.mutate()}>
            {t('end.do')}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{t('end.text', { company: isolate(company) })}</p>
        {member.signed_connections > 0 && <StillHeld member={member} />}
        {end.error instanceof ApiError && end.error.status === 409 ? (
          <Note tone="amber" icon="warning" role="alert">
            {t('lastOwner')}
          </Note>
        ) : (
          end.error && <Failure error={end.error} title={t('end.failed')} />
        )}
      </Stack>
    </Dialog>
  )
}

/** Connections that go on working without whoever signed them. */
function StillHeld({ member: { member_id, signed_connections: count } }: { member: Member }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
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
      {t('end.holds', { count })}
    </Note>
  )
}
