import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { useWrite } from '../session/use-write.ts'
import { Note } from '../ui/feedback/note.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { type Member, renewMembers } from './members-query.ts'
import { RoleChoice } from './role-choice.tsx'
import { useMemberName } from './use-member-name.ts'

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
  const { company_id } = useCompany()
  const { member_id } = member
  const isOwn = useMember().member_id === member_id
  const client = useQueryClient()
  const toName = useMemberName()
  const [role, setRole] = useState(member.role)
  const change = useWrite('PATCH /console/companies/{company_id}/members/{member_id}', {
    onSuccess: () => {
      onClose()
      void renewMembers(client, company_id)
      // It decides which pages the member can open.
      if (isOwn) void renewSession(client)
    },
  })
  const mustStayOwner = isLastOwner || (change.error instanceof ApiError && change.error.status === 409)
  return (
    <ConfirmDialog
      title={t('change.title', { name: isolate(toName(member)) })}
      confirm={!isLastOwner && t('change.do')}
      variant="primary"
      action={change}
      failed={!mustStayOwner && t('change.failed')}
      onConfirm={() =>
        role === member.role ? onClose() : change.mutate({ path: { company_id, member_id }, body: { role } })
      }
      onClose={onClose}
    >
      {mustStayOwner && (
        <Note tone="amber" icon="warning" role="alert">
          {t('lastOwner')}
        </Note>
      )}
      {!isLastOwner && <RoleChoice role={role} onChange={setRole} />}
      {isOwn && role !== 'owner' && <Note tone="amber">{t('change.own')}</Note>}
    </ConfirmDialog>
  )
}
