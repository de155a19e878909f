import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { type Role, useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useRecentSignIn } from '../session/sign-in-again.ts'
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
    <MadeLink made={made} onClose={() => onClose()} />
  )
}

function useInvite(onDone: (made: Made | undefined) => void) {
  const { company_id } = useCompany()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ way, number, label, role }: Draft): Promise<Made | undefined> => {
      const path = { company_id }
      const body = { role, ...(label !== '' && { label }) }
      return withRecentSignIn(async (csrfToken) => {
        if (way === 'byLink') {
          return callApi('POST /console/companies/{company_id}/invitations', { path, body }, csrfToken)
        }
        await callApi(
          'POST /console/companies/{company_id}/members',
          { path, body: { ...body, personal_number: number.trim() } },
          csrfToken,
        )
        return undefined
      })
    },
    onSuccess: (made) => {
      onDone(made)
      void renewMembers(client, company_id)
    },
  })
}

interface Draft {
  way: Way
  number: string
  label: string
  role: Role
}

type Fault = 'number' | 'label'

function faultsOf({ way, number, label }: Draft): Fault[] {
  return [
    ...(way === 'byNumber' && !looksLikePersonalNumber(number) ? (['number'] as const) : []),
    ...([...label.trim()].length > labelLengthMax ? (['label'] as const) : []),
  ]
}

/** Where the service says that a field is wrong. */
function faultsIn(error: Error): Fault[] {
  if (!(error instanceof ApiError) || error.status !== 400) return []
  return error.field === 'personal_number' ? ['number'] : error.field === 'label' ? ['label'] : []
}

function InviteForm({ onClose, onMade }: { onClose: (said?: string) => void; onMade: (made: Made) => void }) {
  const { t } = useTranslation('members')
  const { t: base } = useTranslation()
  const [draft, setDraft] = useState<Draft>({ way: 'byNumber', number: '', label: '', role: 'reader' })
  const [faults, setFaults] = useState<Fault[]>([])
  const formId = useId()
  const ids = { number: `${formId}-number`, label: `${formId}-label` }
  const { way, label, role } = draft
  const invite = useInvite((made) => {
    if (made !== undefined) onMade(made)
    else
      onClose(
        label.trim() === '' ? t('invite.doneNobody') : t('invite.done', { name: isolate(label.trim()) }),
      )
  })
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed })

  function showFaults(found: Fault[]): void {
    setFaults(found)
    const [first] = found
    if (first !== undefined) document.getElementById(ids[first])?.focus()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (invite.isPending) return
    const found = faultsOf(draft)
    showFaults(found)
    if (found.length > 0) return
    invite.mutate({ ...draft, label: label.trim() }, { onError: (error) => showFaults(faultsIn(error)) })
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
          <InviteFields draft={draft} faults={faults} ids={ids} onChange={change} />
          {invite.error && faults.length === 0 && <InviteFailure error={invite.error} />}
        </Stack>
      </form>
    </Dialog>
  )
}

function InviteFields({
  draft: { way, number, label, role },
  faults,
  ids,
  onChange: change,
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
          id={ids.number}
          data-autofocus
          label={t('invite.number')}
          hint={t('invite.numberHint', { company: isolate(company) })}
          error={faults.includes('number') ? t('invite.fault.number') : undefined}
          inputMode="numeric"
          value={number}
          onChange={(number) => change({ number })}
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
        onChange={(label) => change({ label })}
      />
      <RoleChoice role={role} onChange={(role) => change({ role })} />
    </>
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
