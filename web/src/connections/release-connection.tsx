import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'

/** Removes this company from another company's connection, and returns to the list, where it no longer is. */
export function ReleaseConnection({
  connection: { connection_id, name },
  onClose,
  onReleased,
}: {
  connection: Connection
  onClose: () => void
  onReleased: () => void
}) {
  const { t } = useTranslation('connections')
  const { company_id, name: company } = useCompany()
  const navigate = useNavigate()
  const release = useWrite('POST /console/companies/{company_id}/connections/{connection_id}/release', {
    onSuccess: async () => {
      await navigate({ to: '/companies/$companyId/connections', params: { companyId: company_id } })
      onReleased()
    },
  })
  return (
    <ConfirmDialog
      title={t('release.title', { company: isolate(company), name: isolate(name) })}
      keep={t('release.keep')}
      confirm={t('release.do')}
      action={release}
      failed={t('release.failed')}
      onConfirm={() => release.mutate({ path: { company_id, connection_id }, body: {} })}
      onClose={onClose}
    >
      <p>{t('release.text')}</p>
    </ConfirmDialog>
  )
}
