import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Second, Table } from '../ui/display/table.tsx'
import { type Invitation, invitationsQuery, renewMembers } from './members-query.ts'

export const asRole = {
  reader: 'invited.asReader',
  developer: 'invited.asDeveloper',
  owner: 'invited.asOwner',
} as const

/** Invitations that can still be used. */
export function OpenInvitations({ onDone }: { onDone: (announcement: string) => void }) {
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
            render: ({ label, role, created_by }) => (
              <>
                <b>{label === null ? t('invited.link', { role: t(asRole[role]) }) : <bdi>{label}</bdi>}</b>
                <Second>
                  {label !== null && `${t('invited.link', { role: t(asRole[role]) })}, `}
                  {created_by.name !== null && t('invited.by', { name: isolate(created_by.name) })}
                </Second>
              </>
            ),
          },
          { key: 'until', head: t('invited.until'), render: (each) => format.instant(each.expires_at) },
          {
            key: 'withdraw',
            head: <span className="unseen">{t('invited.withdraw')}</span>,
            render: (invitation) => <Withdraw invitation={invitation} onDone={onDone} />,
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

function Withdraw({
  invitation,
  onDone,
}: {
  invitation: Invitation
  onDone: (announcement: string) => void
}) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const client = useQueryClient()
  const { invitation_id, label, role } = invitation
  const withdraw = useWrite('POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw', {
    onSuccess: () => {
      onDone(t('invited.withdrawn'))
      // The row disappears with the button that has the focus.
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
        onClick={() => withdraw.mutate({ path: { company_id, invitation_id }, body: {} })}
      >
        {t('invited.withdraw')}
      </Button>
      {withdraw.error && <Failure error={withdraw.error} title={t('invited.failed')} />}
    </>
  )
}
