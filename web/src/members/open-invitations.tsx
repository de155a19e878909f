import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { focusTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { Second, Table } from '../ui/table.tsx'
import { UnseenHead } from '../ui/unseen-head.tsx'
import { type Invitation, invitationsQuery, renewMembers } from './members-query.ts'

export const asRole = {
  reader: 'invited.asReader',
  developer: 'invited.asDeveloper',
  owner: 'invited.asOwner',
} as const

/** The links that may still be used; nothing where there is none. */
export function OpenInvitations({ onSaid }: { onSaid: (said: string) => void }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const format = useFormat()
  const { data, error, refetch } = useQuery(invitationsQuery(company_id))
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.length === 0) return null
  return (
    <Card>
      <Section title={t('invited.title')} line={t('invited.line')} />
      <Table
        caption={t('invited.title')}
        columns={[
          {
            key: 'who',
            head: t('invited.who'),
            render: ({ label, role, made_by }) => (
              <>
                <b>{label === null ? t('invited.link', { role: t(asRole[role]) }) : <bdi>{label}</bdi>}</b>
                <Second>
                  {label !== null && `${t('invited.link', { role: t(asRole[role]) })}, `}
                  {made_by.name !== null && t('invited.by', { name: isolate(made_by.name) })}
                </Second>
              </>
            ),
          },
          {
            key: 'until',
            head: t('invited.until'),
            render: ({ expires_at }) => format.instant(expires_at),
          },
          {
            key: 'withdraw',
            head: <UnseenHead>{t('invited.withdraw')}</UnseenHead>,
            render: (invitation) => <Withdraw invitation={invitation} onSaid={onSaid} />,
            end: true,
          },
        ]}
        rows={data}
        rowKey={({ invitation_id }) => invitation_id}
        tall
      />
    </Card>
  )
}

function Withdraw({ invitation, onSaid }: { invitation: Invitation; onSaid: (said: string) => void }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const { invitation_id, label, role } = invitation
  const withdraw = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw',
        { path: { company_id, invitation_id }, body: {} },
        csrf_token,
      ),
    onSuccess: () => {
      onSaid(t('invited.withdrawn'))
      // The row goes, and the button with it.
      focusTitle()
      void renewMembers(client, company_id)
    },
  })
  return (
    <>
      <Button
        small
        busy={withdraw.isPending}
        aria-label={t('invited.withdrawWhat', {
          name: isolate(label ?? t('invited.link', { role: t(asRole[role]) })),
        })}
        onClick={() => withdraw.mutate()}
      >
        {t('invited.withdraw')}
      </Button>
      {withdraw.error && <Failure error={withdraw.error} title={t('invited.failed')} />}
    </>
  )
}
