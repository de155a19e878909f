import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import type { ApiResponse } from '../api/call-api.ts'
import { type Role, useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { SecretField } from '../ui/display/copy.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { Segmented } from '../ui/controls/segmented.tsx'
import { renewMembers } from './members-query.ts'
import { looksLikePersonalNumber } from './personal-number.ts'
import { RoleChoice } from './role-choice.tsx'

type NewInvitation = ApiResponse<'POST /console/companies/{company_id}/invitations'>

const submit = {
  byNumber: { reader: 'invite.asReader', developer: 'invite.asDeveloper', owner: 'invite.asOwner' },
  byLink: { reader: 'invite.linkReader', developer: 'invite.linkDeveloper', owner: 'invite.linkOwner' },
} as const

/** As the service counts them. */
const labelCharactersMax = 100

/** Invites by personal number, or by a link that is shown once. */
export function InviteMember({ onClose }: { onClose: (announcement?: string) => void }) {
  const [created, setCreated] = useState<NewInvitation>()
  return created === undefined ? (
    <InviteForm onClose={onClose} onCreated={setCreated} />
  ) : (
    <InvitationLink created={created} onClose={() => onClose()} />
  )
}

interface Draft {
  way: 'byNumber' | 'byLink'
  number: string
  label: string
  role: Role
}

type Fault = 'number' | 'label'

function findFaults({ way, number, label }: Draft): Fault[] {
  return [
    ...(way === 'byNumber' && !looksLikePersonalNumber(number) ? (['number'] as const) : []),
    ...([...label.trim()].length > labelCharactersMax ? (['label'] as const) : []),
  ]
}

/** The field that the service rejects. */
function toFaults(error: Error): Fault[] {
  if (!(error instanceof ApiError) || error.status !== 400) return []
  return error.field === 'personal_number' ? ['number'] : error.field === 'label' ? ['label'] : []
}

function useInvite(
  { way, number, label: typed, role }: Draft,
  {
    onError,
    onInvited,
    onCreated,
  }: {
    onError: (error: Error) => void
    onInvited: (announcement: string) => void
    onCreated: (created: NewInvitation) => void
  },
) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const client = useQueryClient()
  const label = typed.trim()
  const onSettled = (_result: unknown, error: Error | null): void => {
    if (error === null) void renewMembers(client, company_id)
  }
  const invite = useWrite('POST /console/companies/{company_id}/members', {
    onError,
    onSuccess: () =>
      onInvited(label === '' ? t('invite.doneNameless') : t('invite.done', { name: isolate(label) })),
    onSettled,
  })
  const createLink = useWrite('POST /console/companies/{company_id}/invitations', {
    onError,
    onSuccess: onCreated,
    onSettled,
  })

  function send(): void {
    const path = { company_id }
    const body = { role, ...(label !== '' && { label }) }
    if (way === 'byLink') createLink.mutate({ path, body })
    else invite.mutate({ path, body: { ...body, personal_number: number.trim() } })
  }

  return { send, action: way === 'byLink' ? createLink : invite }
}

function InviteForm({
  onClose,
  onCreated,
}: {
  onClose: (announcement?: string) => void
  onCreated: (created: NewInvitation) => void
}) {
  const { t } = useTranslation('members')
  const [draft, setDraft] = useState<Draft>({ way: 'byNumber', number: '', label: '', role: 'reader' })
  const [faults, setFaults] = useState<Fault[]>([])
  const formId = useId()
  const ids = { number: `${formId}-number`, label: `${formId}-label` }
  const { send, action } = useInvite(draft, {
    onError: (error) => showFaults(toFaults(error)),
    onInvited: onClose,
    onCreated,
  })
  const isMember = action.error instanceof ApiError && action.error.status === 409

  function showFaults(found: Fault[]): void {
    setFaults(found)
    const [first] = found
    if (first !== undefined) document.getElementById(ids[first])?.focus()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (action.isPending) return
    const found = findFaults(draft)
    showFaults(found)
    if (found.length === 0) send()
  }

  return (
    <ConfirmDialog
      title={t('invite.title')}
      confirm={t(submit[draft.way][draft.role])}
      variant="primary"
      action={action}
      failed={faults.length === 0 && !isMember && t('invite.failed')}
      onConfirm={formId}
      onClose={() => onClose()}
    >
      <form id={formId} onSubmit={onSubmit} noValidate>
        <Stack>
          <InviteFields
            draft={draft}
            faults={faults}
            ids={ids}
            onChange={(changed) => setDraft({ ...draft, ...changed })}
          />
        </Stack>
      </form>
      {isMember && (
        <Note tone="red" role="alert" title={t('invite.failed')}>
          {t('invite.already', { message: action.error!.message })}
        </Note>
      )}
    </ConfirmDialog>
  )
}

function InviteFields({
  draft: { way, number, label, role },
  faults,
  ids,
  onChange,
}: {
  draft: Draft
  faults: Fault[]
  ids: Record<Fault, string>
  onChange: (changed: Partial<Draft>) => void
}) {
  const { t } = useTranslation('members')
  const { name: company } = useCompany()
  return (
    <>
      <Segmented
        wide
        label={t('invite.how')}
        value={way}
        options={[
          { value: 'byNumber', label: t('invite.byNumber') },
          { value: 'byLink', label: t('invite.byLink') },
        ]}
        onChange={(way) => onChange({ way })}
      />
      {way === 'byNumber' ? (
        <TextField
          id={ids.number}
          data-autofocus
          label={t('invite.number')}
          hint={t('invite.numberHint', { company: isolate(company) })}
          error={faults.includes('number') ? t('invite.fault.number') : undefined}
          inputMode="numeric"
          value={number}
          onChange={(number) => onChange({ number })}
        />
      ) : (
        <p>{t('invite.linkText')}</p>
      )}
      <TextField
        id={ids.label}
        label={t('invite.label')}
        hint={t(way === 'byLink' ? 'invite.labelLinkHint' : 'invite.labelHint')}
        error={faults.includes('label') ? t('invite.fault.label') : undefined}
        value={label}
        onChange={(label) => onChange({ label })}
      />
      <RoleChoice role={role} onChange={(role) => onChange({ role })} />
    </>
  )
}

function InvitationLink({
  created: { invitation, link },
  onClose,
}: {
  created: NewInvitation
  onClose: () => void
}) {
  const { t } = useTranslation('members')
  const format = useFormat()
  return (
    <Dialog
      title={t('linkCreated.title')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('linkCreated.done')}
        </Button>
      }
    >
      <p>{t('linkCreated.text', { when: format.instant(invitation.expires_at) })}</p>
      <SecretField label={t('linkCreated.link')} value={link} />
    </Dialog>
  )
}
