import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { TextField } from '../ui/field.tsx'
import { Stack } from '../ui/page.tsx'

/** Letters that are written in two ways are the same, and so are spaces of any width and number. */
function plain(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
}

/** Revokes for good, once the connection's name is written. */
export function RevokeConnection({
  connection,
  onClose,
  onRevoked,
}: {
  connection: Connection
  onClose: () => void
  onRevoked: (changed: Connection) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const fieldId = useId()
  const formId = useId()
  const { connection_id } = connection
  const name = isolate(connection.name)
  const revoke = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/revoke',
        { path: { company_id, connection_id }, body: {} },
        csrf_token,
      ),
    onSuccess: onRevoked,
  })

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (revoke.isPending) return
    const isRight = plain(typed) === plain(connection.name)
    setWrong(!isRight)
    if (isRight) revoke.mutate()
    else document.getElementById(fieldId)?.focus()
  }

  return (
    <Dialog
      title={t('revoke.title', { name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('revoke.keep')}</Button>
          <Button variant="dangerPrimary" type="submit" form={formId} busy={revoke.isPending}>
            {t('revoke.do')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit}>
        <Stack>
          <p>{t('revoke.text')}</p>
          <TextField
            id={fieldId}
            data-autofocus
            label={t('revoke.type')}
            hint={<bdi>{connection.name}</bdi>}
            error={isWrong ? t('revoke.wrong', { name }) : undefined}
            value={typed}
            onChange={setTyped}
          />
          {revoke.error && <Failure error={revoke.error} title={t('revoke.failed')} />}
        </Stack>
      </form>
    </Dialog>
  )
}
