import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { SelectField } from '../ui/controls/select.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'

const dayMs = 86_400_000

/** How many days the previous credential may keep working: what the service allows. */
const overlapDays = ['0', '1', '2', '3', '4', '5', '6', '7'] as const

/** Asks how long the previous credential keeps working, and rotates. */
export function RotateConnection({
  connection: { connection_id, name, previous_credential_ends_at },
  onClose,
  onRotated,
}: {
  connection: Connection
  onClose: () => void
  onRotated: (changed: Connection, secret: string) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const format = useFormat()
  const [days, setDays] = useState<(typeof overlapDays)[number]>('1')
  const rotate = useWrite('POST /console/companies/{company_id}/connections/{connection_id}/rotate', {
    onSuccess: ({ connection, credential }) => onRotated(connection, credential),
  })
  const isNotYours = rotate.error instanceof ApiError && rotate.error.code === 'permission_denied'
  return (
    <ConfirmDialog
      title={t('rotate.title', { name: isolate(name) })}
      confirm={t('rotate.do')}
      variant="primary"
      action={rotate}
      failed={!isNotYours && t('rotate.failed')}
      onConfirm={() =>
        rotate.mutate({ path: { company_id, connection_id }, body: { overlap_hours: Number(days) * 24 } })
      }
      onClose={onClose}
    >
      <p>{t('rotate.text')}</p>
      <SelectField
        label={t('rotate.overlap')}
        hint={
          previous_credential_ends_at === null
            ? t('rotate.overlapHint')
            : `${t('rotate.overlapHint')} ${t('rotate.twice')}`
        }
        value={days}
        options={overlapDays.map((value) => ({
          value,
          label:
            value === '0'
              ? t('rotate.none')
              : t('rotate.more', { time: format.length(Number(value) * dayMs) }),
        }))}
        onChange={setDays}
      />
      {isNotYours && (
        <Note tone="red" role="alert" title={t('rotate.failed')}>
          {t('rotate.notYours')}
        </Note>
      )}
    </ConfirmDialog>
  )
}
