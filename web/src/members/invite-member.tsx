import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { type Role, useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/button.tsx'
import { SecretField } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { TextField } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { renewMembers } from './members-query.ts'
import { looksLikePersonalNumber } from './personal-number.ts'
import { RoleChoice } from './role-choice.tsx'

type Way = 'byNumber' | 'byLink'
type Made = ApiResponse<'POST /console/companies/{company_id}/invitations'>

const submit = {
  byNumber: { reader: 'invite.asReader', developer: 'invite.asDeveloper', owner: 'invite.asOwner' },
  byLink: { reader: 'invite.linkReader', developer: 'invite.linkDeveloper', owner: 'invite.linkOwner' },
} as const

/** Letters of a label, as the service counts them. */
const labelLengthMax = 100

/** Invites by personal number, or by a link that is shown once. */
export function InviteMember({ onClose }: { onClose: (said?: string) => void }) {
  const [made, setMade] = useState<Made>()
  return made === undefined ? (
    <InviteForm onClose={onClose} onMade={setMade} />
  ) : (
    <MadeLink made={made} onClose={onClose} />
  )
}

function useInvite(onDone: (made: Made | undefined) => void) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ way, number, label, role }: Draft): Promise<Made | undefined> => {
      const path = { company_id }
      const body = { role, ...(label !== '' && { label }) }
      if (way === 'byLink') {
        return callApi('POST /console/companies/{company_id}/invitations', { path, body }, csrf_token)
      }
      await callApi(
        'POST /console/companies/{company_id}/members',
        { path, body: { ...body, personal_number: number.trim() } },
        csrf_token,
      )
      return undefined
    },
    onSuccess: (made) => {
      onDone(made)
      renewMembers(client, company_id)
    },
  })
}

interface Draft {
  way: Way
  number: string
  label: string
  role: Role
}

interface Faults {
  number?: string
  label?: string
}

function InviteForm({ onClose, onMade }: { onClose: (said?: string) => void; onMade: (made: Made) => void }) {
  const { t } = useTranslation('members')
  const { t: base } = useTranslation()
  const { name: company } = useCompany()
  const [draft, setDraft] = useState<Draft>({ way: 'byNumber', number: '', label: '', role: 'reader' })
  const [faults, setFaults] = useState<Faults>({})
  const [formId, numberId, labelId] = [useId(), useId(), useId()]
  const { way, number, label, role } = draft
  const invite = useInvite((made) => {
    if (made !== undefined) onMade(made)
    else
      onClose(
        label.trim() === '' ? t('invite.doneNobody') : t('invite.done', { name: isolate(label.trim()) }),
      )
  })
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed })

  function showFaults(found: Faults): boolean {
    setFaults(found)
    const wrong = found.number !== undefined ? numberId : found.label !== undefined ? labelId : undefined
    if (wrong !== undefined) document.getElementById(wrong)?.focus()
    return wrong !== undefined
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (invite.isPending) return
    const trimmed = label.trim()
    const found: Faults = {
      ...(way === 'byNumber' && !looksLikePersonalNumber(number) && { number: t('invite.fault.number') }),
      ...([...trimmed].length > labelLengthMax && { label: t('invite.fault.label') }),
    }
    if (showFaults(found)) return
    invite.mutate(
      { ...draft, label: trimmed },
      {
        onError: (error) => {
          if (!(error instanceof ApiError) || error.status !== 400) return
          if (error.field === 'personal_number') showFaults({ number: t('invite.fault.number') })
          if (error.field === 'label') showFaults({ label: t('invite.fault.label') })
        },
      },
    )
  }

  return (
    <Dialog
      title={t('invite.title')}
      onClose={() => onClose()}
      footer={
        <>
          <Button onClick={() => onClose()}>{base('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={invite.isPending}>
            {t(submit[way][role])}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit} noValidate>
        <Stack>
          <Segmented<Way>
            wide
            label={t('invite.how')}
            value={way}
            options={[
              { value: 'byNumber', label: t('invite.byNumber') },
              { value: 'byLink', label: t('invite.byLink') },
            ]}
            onChange={(way) => change({ way })}
          />
          {way === 'byNumber' ? (
            <TextField
              id={numberId}
              data-autofocus
              label={t('invite.number')}
              hint={t('invite.numberHint', { company: isolate(company) })}
              error={faults.number}
              inputMode="numeric"
              value={number}
              onChange={(number) => change({ number })}
            />
          ) : (
            <p>{t('invite.linkText')}</p>
          )}
          <TextField
            id={labelId}
            label={t('invite.label')}
            hint={t(way === 'byLink' ? 'invite.labelLinkHint' : 'invite.labelHint')}
            error={faults.label}
            value={label}
            onChange={(label) => change({ label })}
          />
          <RoleChoice role={role} onChange={(role) => change({ role })} />
          {invite.error && faults.number === undefined && faults.label === undefined && (
            <InviteFailure error={invite.error} />
          )}
        </Stack>
      </form>
    </Dialog>
  )
}

function InviteFailure({ error }: { error: Error }) {
  const { t } = useTranslation('members')
  if (!(error instanceof ApiError) || error.status !== 409) {
    return <Failure error={error} title={t('invite.failed')} />
  }
  return (
    <Note tone="red" role="alert" title={t('invite.failed')}>
      {t('invite.already', { message: error.message })}
    </Note>
  )
}

function MadeLink({ made: { invitation, link }, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('members')
  const format = useFormat()
  return (
    <Dialog
      title={t('made.title')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('made.done')}
        </Button>
      }
    >
      <Stack>
        <p>{t('made.text', { when: format.instant(invitation.expires_at) })}</p>
        <SecretField label={t('made.link')} value={link} />
      </Stack>
    </Dialog>
  )
}
