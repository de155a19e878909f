import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useRecentSignIn } from '../session/sign-in-again.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Check } from '../ui/check.tsx'
import { SecretField } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Section } from '../ui/section.tsx'
import { Second, Table } from '../ui/table.tsx'
import { useLeaveGuard } from '../ui/unsaved-guard.tsx'
import { useNow } from '../ui/use-now.ts'
import { ActionsHead } from './actions-head.tsx'
import { focusLater } from './focus-later.ts'
import { renewSources, type ShownSource } from './source-query.ts'
import { useSourceAction } from './use-source-change.ts'

const secondMs = 1_000
const rotateId = 'rotate-secret'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** What is left until an instant, in hours, minutes and seconds: 23:41:07. */
export function leftUntil(instant: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(instant) - now) / secondMs))
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
}

/** The secrets that a webhook source's sender signs with. */
export function SigningSecrets({ data: { source, signing_secrets } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const [asks, setAsks] = useState<'rotate' | 'end'>()
  const [said, setSaid] = useState('')
  const close = (): void => setAsks(undefined)
  const rotate = useRotation(source)
  return (
    <Card>
      <LiveRegion>{said}</LiveRegion>
      <Section
        title={t('secrets.title')}
        line={t('secrets.line')}
        actions={
          <Button
            id={rotateId}
            small
            icon="repeat"
            onClick={() => {
              if (rotate.isError) rotate.reset()
              setAsks('rotate')
            }}
          >
            {t('secrets.rotate')}
          </Button>
        }
      />
      <SecretTable secrets={signing_secrets} onEnd={() => setAsks('end')} />
      {asks === 'rotate' && rotate.data === undefined && (
        <RotateDialog
          source={source}
          rotate={rotate}
          overlaps={signing_secrets.some(({ ends_at }) => ends_at !== null)}
          onClose={close}
        />
      )}
      {rotate.data !== undefined && (
        <ShownOnce
          secret={rotate.data.signing_secret}
          name={source.name}
          onClose={() => {
            rotate.reset()
            close()
          }}
        />
      )}
      {asks === 'end' && (
        <EndDialog
          source={source}
          onClose={close}
          onEnded={() => {
            setSaid(t('secrets.ended'))
            // The button that asked is gone.
            focusLater(rotateId)
            close()
          }}
        />
      )}
    </Card>
  )
}

function SecretTable({ secrets, onEnd }: { secrets: ShownSource['signing_secrets']; onEnd: () => void }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow(secondMs)
  const working = secrets.filter(({ ends_at }) => ends_at === null || Date.parse(ends_at) > now)
  return (
    <Table
      caption={t('secrets.title')}
      tall
      columns={[
        {
          key: 'which',
          head: t('secrets.which'),
          render: ({ ends_at }) => t(ends_at === null ? 'secrets.current' : 'secrets.previous'),
          strong: true,
        },
        {
          key: 'made',
          head: t('made'),
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
                <span role="timer">{t('secrets.left', { time: leftUntil(ends_at, now) })}</span>
                <Second>{t('secrets.until', { when: format.instant(ends_at) })}</Second>
              </>
            ),
        },
        {
          key: 'end',
          head: <ActionsHead />,
          render: ({ ends_at }) =>
            ends_at !== null && (
              <Button small variant="danger" onClick={onEnd}>
                {t('secrets.endNow')}
              </Button>
            ),
          end: true,
        },
      ]}
      rows={working}
      rowKey={({ created_at }) => created_at}
      empty={t('secrets.none')}
    />
  )
}

type Source = ShownSource['source']

/** Makes a new secret. It is known here, above the dialogs: closed too early, the one that asks does not take it along. */
function useRotation(source: Source) {
  const { company_id } = useCompany()
  const withRecentSignIn = useRecentSignIn()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      withRecentSignIn((csrfToken) =>
        callApi(
          'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret',
          { path: { company_id, source_id: source.source_id }, body: {} },
          csrfToken,
        ),
      ),
    onSuccess: () => renewSources(client, company_id),
    // It is shown here and nowhere else.
    gcTime: 0,
  })
}

/** Says what will end. */
function RotateDialog({
  source,
  rotate,
  overlaps,
  onClose,
}: {
  source: Source
  rotate: ReturnType<typeof useRotation>
  overlaps: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('sources')
  return (
    <Dialog
      title={t('secrets.rotateTitle', { source: isolate(source.name) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel', { ns: 'translation' })}</Button>
          <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('secrets.rotate')}
          </Button>
        </>
      }
    >
      <p>{t('secrets.rotateText')}</p>
      {overlaps && <p>{t('secrets.rotateEnds')}</p>}
      {rotate.error !== null && <Failure error={rotate.error} />}
    </Dialog>
  )
}

/** It closes when the person says that the secret is kept. */
function ShownOnce({ secret, name, onClose }: { secret: string; name: string; onClose: () => void }) {
  const { t } = useTranslation('sources')
  const [isKept, setIsKept] = useState(false)
  return (
    <Dialog
      title={t('secrets.shownTitle', { source: isolate(name) })}
      onClose={isKept ? onClose : undefined}
      footer={
        <Button variant="primary" disabled={!isKept} onClick={onClose}>
          {t('secrets.done')}
        </Button>
      }
    >
      <SecretOnce secret={secret} isKept={isKept} onKept={setIsKept} />
    </Dialog>
  )
}

/** A signing secret, and the box that says that it is kept; asks before it is left unkept. */
export function SecretOnce({
  secret,
  isKept,
  onKept,
}: {
  secret: string
  isKept: boolean
  onKept: (isKept: boolean) => void
}) {
  const { t } = useTranslation('sources')
  const question = useLeaveGuard(!isKept, { title: t('secrets.leaveTitle'), text: t('secrets.leaveText') })
  return (
    <>
      <p>{t('secrets.shownText')}</p>
      <SecretField label={t('secrets.secret')} value={secret} hint={t('secrets.shownHint')} />
      <Check label={t('secrets.kept')} checked={isKept} onChange={onKept} />
      {question}
    </>
  )
}

function EndDialog({
  source,
  onClose,
  onEnded,
}: {
  source: Source
  onClose: () => void
  onEnded: () => void
}) {
  const { t } = useTranslation('sources')
  const end = useSourceAction(source.source_id)
  return (
    <Dialog
      title={t('secrets.endTitle')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel', { ns: 'translation' })}</Button>
          <Button
            variant="dangerPrimary"
            busy={end.isPending}
            onClick={() => end.mutate('end-previous-signing-secret', { onSuccess: onEnded })}
          >
            {t('secrets.endNow')}
          </Button>
        </>
      }
    >
      <p>{t('secrets.endText')}</p>
      {end.error !== null && <Failure error={end.error} />}
    </Dialog>
  )
}
