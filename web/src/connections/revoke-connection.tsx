import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { TextField } from '../ui/controls/field.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'

/** Ignores differences that cannot be seen: composed letters and the width of spaces. */
function normalize(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
}

/** Revokes a connection for good, once its name is typed. */
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
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const fieldId = useId()
  const formId = useId()
  const { connection_id } = connection
  const name = isolate(connection.name)
  const revoke = useWrite('POST /console/companies/{company_id}/connections/{connection_id}/revoke', {
    onSuccess: onRevoked,
  })

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (revoke.isPending) return
    const isRight = normalize(typed) === normalize(connection.name)
    setWrong(!isRight)
    if (isRight) revoke.mutate({ path: { company_id, connection_id }, body: {} })
    else document.getElementById(fieldId)?.focus()
  }

  return (
    <ConfirmDialog
      title={t('revoke.title', { name })}
      keep={t('revoke.keep')}
      confirm={t('revoke.do')}
      action={revoke}
      failed={t('revoke.failed')}
      onConfirm={formId}
      onClose={onClose}
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
        </Stack>
      </form>
    </ConfirmDialog>
  )
}
