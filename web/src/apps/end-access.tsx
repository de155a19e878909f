import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { isolate } from '../language/isolate.ts'
import type { Session } from '../session/use-session.ts'
import { Failure } from '../ui/failure.tsx'
import { type App, replaceApp } from './apps-query.ts'
import classes from './end-access.module.css'

/**
 * Asks for confirmation, since ending cannot be undone. The browser's own dialog holds the focus.
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
  const { t } = useTranslation()
  const client = useQueryClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()
  useEffect(() => dialog.current?.showModal(), [])

  const end = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/apps/{connection_id}/end',
        { path: { connection_id: app.connection_id }, body: {} },
        session.csrf_token,
      ),
    onSuccess: (ended) => {
      replaceApp(client, session.member_id, ended)
      // Until the dialog is closed, nothing outside it can take the focus.
      dialog.current?.close()
      onClose(true)
    },
  })

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={() => onClose(false)}
    >
      <h2 id={titleId} className={classes.title}>
        {t('apps.endTitle', { app: isolate(app.client_name) })}
      </h2>
      <p id={textId}>{t('apps.endText')}</p>
      {end.error && <Failure error={end.error} />}
      <div className={classes.answers}>
        <Button variant="default" onClick={() => dialog.current?.close()}>
          {t('apps.cancelEnd')}
        </Button>
        <Button className={classes.end} loading={end.isPending} onClick={() => end.mutate()}>
          {t('apps.end')}
        </Button>
      </div>
    </dialog>
  )
}
