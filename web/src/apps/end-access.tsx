import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { useWrite } from '../session/use-write.ts'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { type App, replaceApp } from './apps-query.ts'

/** Ends an app's access, which cannot be undone. */
export function EndAccess({ app, onClose }: { app: App; onClose: (ended: boolean) => void }) {
  const { t } = useTranslation('apps')
  const { member_id } = useMember()
  const client = useQueryClient()
  const { connection_id, client_name } = app
  const end = useWrite('POST /console/apps/{connection_id}/end', {
    onSuccess: (ended) => {
      replaceApp(client, member_id, ended)
      onClose(true)
    },
  })
  return (
    <ConfirmDialog
      title={t('endTitle', { app: isolate(client_name) })}
      keep={t('cancelEnd')}
      confirm={t('end')}
      action={end}
      onConfirm={() => end.mutate({ path: { connection_id }, body: {} })}
      onClose={() => onClose(false)}
    >
      <p>{t('endText')}</p>
    </ConfirmDialog>
  )
}
