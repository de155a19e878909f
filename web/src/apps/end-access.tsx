import { Button } from '@mantine/core'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ask, type Answer } from '../api/ask.ts'
import { isolate } from '../language/isolate.ts'
import { Failure } from '../page/failure.tsx'
import type { Session } from '../session/use-session.ts'
import type { App } from './app-connection.tsx'
import { appsKey } from './apps-key.ts'
import classes from './end-access.module.css'

type Pages = InfiniteData<Answer<'GET /console/apps'>>

/** Asks once more, since it cannot be taken back. The browser's own dialog keeps the focus in it. */
export const EndAccess = ({
  app,
  session,
  onClose,
}: {
  app: App
  session: Session
  onClose: (ended: boolean) => void
}) => {
  const { t } = useTranslation()
  const client = useQueryClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()
  useEffect(() => dialog.current?.showModal(), [])

  const end = useMutation({
    mutationFn: () =>
      ask(
        'POST /console/apps/{connection_id}/end',
        { path: { connection_id: app.connection_id }, body: {} },
        session.csrf_token,
      ),
    onSuccess: (ended) => {
      client.setQueryData<Pages>(
        appsKey(session.member_id),
        (known) =>
          known && {
            ...known,
            pages: known.pages.map((page) => ({
              ...page,
              apps: page.apps.map((other) => (other.connection_id === ended.connection_id ? ended : other)),
            })),
          },
      )
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
          {t('apps.keep')}
        </Button>
        <Button className={classes.end} loading={end.isPending} onClick={() => end.mutate()}>
          {t('apps.end')}
        </Button>
      </div>
    </dialog>
  )
}
