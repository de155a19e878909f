import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { isolate } from '../language/isolate.ts'
import type { Session } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { type App, replaceApp } from './apps-query.ts'

/**
 * Asks for confirmation, since ending cannot be undone.
 *
 * @param onClose called once the access has ended, or when the person keeps it
 */
export function EndAccess({
  app,
  session,
  onClose,
}: {
  app: App
  session: Session
  onClose: (ended: boolean) => void
}) {
  const { t } = useTranslation('apps')
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/apps/{connection_id}/end',
        { path: { connection_id: app.connection_id }, body: {} },
        session.csrf_token,
      ),
    onSuccess: (ended) => {
      replaceApp(client, session.member_id, ended)
      onClose(true)
    },
  })
  return (
    <Dialog
      title={t('endTitle', { app: isolate(app.client_name) })}
      onClose={() => onClose(false)}
      footer={
        <>
          <Button onClick={() => onClose(false)}>{t('cancelEnd')}</Button>
          <Button variant="dangerPrimary" busy={end.isPending} onClick={() => end.mutate()}>
            {t('end')}
          </Button>
        </>
      }
    >
      <p>{t('endText')}</p>
      {end.error && <Failure error={end.error} />}
    </Dialog>
  )
}
