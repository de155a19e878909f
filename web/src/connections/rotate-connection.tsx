import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { useRecentSignIn } from '../session/sign-in-again.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Stack } from '../ui/page.tsx'
import { SelectField } from '../ui/select.tsx'

/** How long the credential before may go on working, in days: what the service takes. */
const overlapDays = ['0', '1', '2', '3', '4', '5', '6', '7'] as const

/** Asks how long the old one works, and rotates. */
export function RotateConnection({
  connection,
  onClose,
  onRotated,
}: {
  connection: Connection
  onClose: () => void
  onRotated: (changed: Connection, secret: string) => void
}) {
  const { t } = useTranslation('connections')
  const { t: base } = useTranslation()
  const { company_id } = useCompany()
  const withRecentSignIn = useRecentSignIn()
  const [days, setDays] = useState<(typeof overlapDays)[number]>('1')
  const { connection_id, name } = connection
  const rotate = useMutation({
    mutationFn: () =>
      withRecentSignIn((csrfToken) =>
        callApi(
          'POST /console/companies/{company_id}/connections/{connection_id}/rotate',
          { path: { company_id, connection_id }, body: { overlap_hours: Number(days) * 24 } },
          csrfToken,
        ),
      ),
    onSuccess: ({ connection: changed, credential }) => onRotated(changed, credential),
  })
  const isNotYours = rotate.error instanceof ApiError && rotate.error.code === 'permission_denied'
  return (
    <Dialog
      title={t('rotate.title', { name: isolate(name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{base('ui.cancel')}</Button>
          <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('rotate.do')}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{t('rotate.text')}</p>
        <SelectField
          label={t('rotate.overlap')}
          hint={
            connection.previous_credential_ends_at === null
              ? t('rotate.overlapHint')
              : `${t('rotate.overlapHint')} ${t('rotate.twice')}`
          }
          value={days}
          options={overlapDays.map((value) => ({
            value,
            label: value === '0' ? t('rotate.none') : t('rotate.day', { count: Number(value) }),
          }))}
          onChange={setDays}
        />
        {isNotYours ? (
          <Note tone="red" role="alert" title={t('rotate.failed')}>
            {t('rotate.notYours')}
          </Note>
        ) : (
          rotate.error && <Failure error={rotate.error} title={t('rotate.failed')} />
        )}
      </Stack>
    </Dialog>
  )
}
