import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/leave.ts'
import { sv } from '../language/sv/leave.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { type Company, may } from './company.ts'
import { companyKey } from './lists.ts'

addTexts('leave', { en, sv })

type OwnMembership = ApiResponse<'GET /console/companies/{company_id}/membership'>

/** Asks before a member leaves a company, and lists what they leave behind. The last owner cannot leave. */
export function LeaveCompany({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useTranslation('leave')
  const { company_id } = company
  const own = useQuery({
    queryKey: companyKey(company_id, 'own-membership'),
    queryFn: () => callApi('GET /console/companies/{company_id}/membership', { path: { company_id } }),
    staleTime: 0,
  })
  const leave = useLeave(company_id)
  const { error } = leave
  const isLastOwner = own.data?.last_owner === true || (error instanceof ApiError && error.status === 409)
  return (
    <Dialog
      title={t('title', { company: isolate(company.name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          {own.data !== undefined && !isLastOwner && (
            <Button variant="dangerPrimary" busy={leave.isPending} onClick={() => leave.mutate()}>
              {t('do')}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <Loaded query={own} skeleton={<Skeleton blocks={[{ width: 'wide', height: 40 }]} />}>
          {(membership) =>
            isLastOwner ? (
              <LastOwner companyId={company_id} />
            ) : (
              <LeftBehind companyId={company_id} membership={membership} />
            )
          }
        </Loaded>
        {error !== null && !isLastOwner && <Failure error={error} title={t('failed')} />}
      </Stack>
    </Dialog>
  )
}

function LastOwner({ companyId }: { companyId: string }) {
  const { t } = useTranslation('leave')
  return (
    <Note
      tone="amber"
      icon="warning"
      role="alert"
      action={
        <Link to="/companies/$companyId/members" params={{ companyId }}>
          {t('toMembers')}
        </Link>
      }
    >
      {t('lastOwner')}
    </Note>
  )
}

/** What ends with the membership, and what does not. */
function LeftBehind({
  companyId,
  membership: { role, signed_connections: count },
}: {
  companyId: string
  membership: OwnMembership
}) {
  const { t } = useTranslation('leave')
  const { companies, member_id } = useMember()
  const seesThem = may(role, 'developer')
  return (
    <>
      <p>
        {t('text')} {companies.length > 1 && t('further')}
      </p>
      {count > 0 && (
        <Note
          tone="amber"
          icon="connection"
          {...(seesThem && {
            action: (
              <Link
                to="/companies/$companyId/connections"
                params={{ companyId }}
                search={{ maker: member_id, state: 'signed' }}
              >
                {t('show')}
              </Link>
            ),
          })}
        >
          {t('holds', { count })} {t(seesThem ? 'revokeFirst' : 'askToRevoke')}
        </Note>
      )}
    </>
  )
}

function useLeave(company_id: string) {
  const { csrf_token, member_id } = useMember()
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
      // Away from its pages first; the start page could lead back to them.
      await navigate({ to: '/companies' })
      await renewSession(client)
      client.removeQueries({ queryKey: companyKey(company_id) })
      // The pressed button is gone.
      focusTitle()
    },
  })
}
