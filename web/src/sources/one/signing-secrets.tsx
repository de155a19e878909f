import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useRecentSignIn } from '../../session/sign-in-again.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { type Column, Second, Table } from '../../ui/display/table.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { ShownSource } from '../declaration.ts'
import { focusLater } from '../focus-later.ts'
import { SecretOnce } from '../secret-once.tsx'
import { renewSources, useSourceAction } from '../source-actions.ts'

const rotateId = 'rotate-secret'

/** The secrets with which a webhook source's sender signs, and their rotation. */
export function SigningSecrets({ data: { source, signing_secrets } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const [asks, setAsks] = useState<'rotate' | 'end'>()
  const [said, setSaid] = useState('')
  const close = (): void => setAsks(undefined)
  const rotate = useRotation(source.source_id)
  const end = useSourceAction(source.source_id)
  const name = isolate(source.name)
  const onEnded = (): void => {
    setSaid(t('secrets.ended'))
    // The button that was pressed is gone.
    focusLater(rotateId)
    close()
  }
  const startRotation = (
    <Button
      id={rotateId}
      small
      icon="repeat"
      onClick={() => {
        rotate.reset()
        setAsks('rotate')
      }}
    >
      {t('secrets.rotate')}
    </Button>
  )
  return (
    <Card>
      <LiveRegion>{said}</LiveRegion>
      <Section title={t('secrets.title')} line={t('secrets.line')} actions={startRotation} />
      <SecretTable secrets={signing_secrets} onEnd={() => setAsks('end')} />
      {asks === 'rotate' && rotate.data === undefined && (
        <ConfirmDialog
          title={t('secrets.rotateTitle', { source: name })}
          confirm={t('secrets.rotate')}
          variant="primary"
          action={rotate}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        >
          <p>{t('secrets.rotateText')}</p>
          {signing_secrets.some(({ ends_at }) => ends_at !== null) && <p>{t('secrets.rotateEnds')}</p>}
        </ConfirmDialog>
      )}
      {rotate.data !== undefined && (
        <NewSecret
          title={t('secrets.shownTitle', { source: name })}
          secret={rotate.data.signing_secret}
          onClose={() => {
            rotate.reset()
            close()
          }}
        />
      )}
      {asks === 'end' && (
        <ConfirmDialog
          title={t('secrets.endTitle')}
          confirm={t('secrets.endNow')}
          action={end}
          onConfirm={() => end.mutate('end-previous-signing-secret', { onSuccess: onEnded })}
          onClose={close}
        >
          <p>{t('secrets.endText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

type Secrets = ShownSource['signing_secrets']

function SecretTable({ secrets, onEnd }: { secrets: Secrets; onEnd: () => void }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  const columns: Column<Secrets[number]>[] = [
    {
      key: 'which',
      head: t('secrets.which'),
      render: ({ ends_at }) => t(ends_at === null ? 'secrets.current' : 'secrets.previous'),
      strong: true,
    },
    {
      key: 'created',
      head: t('created'),
      render: ({ created_at }) => format.instant(created_at),
      wideOnly: true,
    },
    {
      key: 'until',
      head: t('secrets.works'),
      render: ({ ends_at }) =>
        ends_at === null ? (
          t('secrets.untilRotated')
        ) : (
          <>
            {t('secrets.left', { time: format.length(Date.parse(ends_at) - now) })}
            <Second>{t('secrets.until', { when: format.instant(ends_at) })}</Second>
          </>
        ),
    },
    {
      key: 'end',
      head: <span className="unseen">{t('actions')}</span>,
      render: ({ ends_at }) =>
        ends_at !== null && (
          <Button small variant="danger" onClick={onEnd}>
            {t('secrets.endNow')}
          </Button>
        ),
      end: true,
    },
  ]
  return (
    <Table
      caption={t('secrets.title')}
      tall
      columns={columns}
      rows={secrets.filter(({ ends_at }) => ends_at === null || Date.parse(ends_at) > now)}
      rowKey={({ created_at }) => created_at}
      empty={t('secrets.none')}
    />
  )
}

/** Creates a new secret. Its result is kept outside the dialogs, so that closing one too early does not lose it. */
function useRotation(source_id: string) {
  const { company_id } = useCompany()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      withRecentSignIn((csrfToken) =>
        callApi(
          'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret',
          { path: { company_id, source_id }, body: {} },
          csrfToken,
        ),
      ),
    onSuccess: () => renewSources(client, company_id),
    // Its result is a secret.
    gcTime: 0,
  })
}

/** Closes once the person has confirmed that the secret is stored. */
function NewSecret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  const { t } = useTranslation('sources')
  return (
    <SecretOnce secret={secret}>
      {(shown, isStored) => (
        <Dialog
          title={title}
          onClose={isStored ? onClose : undefined}
          footer={
            <Button variant="primary" disabled={!isStored} onClick={onClose}>
              {t('secrets.done')}
            </Button>
          }
        >
          {shown}
        </Dialog>
      )}
    </SecretOnce>
  )
}
