import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Stack } from '../ui/page.tsx'

/** Takes this company off another one's connection, and goes back to the list, where it is no more. */
export function ReleaseConnection({
  connection,
  onClose,
  onReleased,
}: {
  connection: Connection
  onClose: () => void
  onReleased: () => void
}) {
  const { t } = useTranslation('connections')
  const { company_id, name: company } = useCompany()
  const { csrf_token } = useMember()
  const navigate = useNavigate()
  const { connection_id, name } = connection
  const release = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/release',
        { path: { company_id, connection_id }, body: {} },
        csrf_token,
      ),
    onSuccess: async () => {
      await navigate({ to: '/companies/$companyId/connections', params: { companyId: company_id } })
      onReleased()
    },
  })
  return (
    <Dialog
      title={t('release.title', { company: isolate(company), name: isolate(name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('release.keep')}</Button>
          <Button variant="dangerPrimary" busy={release.isPending} onClick={() => release.mutate()}>
            {t('release.do')}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{t('release.text')}</p>
        {release.error && <Failure error={release.error} title={t('release.failed')} />}
      </Stack>
    </Dialog>
  )
}
