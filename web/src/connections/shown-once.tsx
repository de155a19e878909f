import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Check } from '../ui/controls/check.tsx'
import { SecretField } from '../ui/display/copy.tsx'
import { download } from '../ui/download.ts'
import { Row } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Section } from '../ui/layout/section.tsx'
import { useLeaveGuard } from '../ui/overlays/unsaved-guard.tsx'
import { useNow } from '../ui/use-now.ts'
import { ConnectionPath } from './connection-path.tsx'
import { envFile } from './env-file.ts'
import { handOver, isForReference } from './hand-over.ts'
import type { NextStep, Secret } from './signing/next-step.ts'
import { WhatIsSigned } from './signing/what-is-signed.tsx'
import { useBeginSigning } from './signing/use-begin-signing.ts'

/** A connection's secret, shown once. The person continues after confirming that it is stored. */
export function ShownOnce({
  connection,
  secret: { value, by },
  onDone,
}: {
  connection: Connection
  secret: Secret
  onDone: (next: NextStep) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const [isStored, setStored] = useState(false)
  const isNew = by === 'creation'
  const question = useLeaveGuard(!isStored, {
    title: t('once.leaveTitle'),
    text: t(isNew ? 'once.leaveTextCreated' : 'once.leaveText'),
  })
  const { name, source } = connection
  const isStatic = connection.client_id === null
  const begin = useBeginSigning(connection.connection_id, onDone)
  return (
    <>
      <PageHead
        title={t(isStatic ? 'once.titleStatic' : 'once.title')}
        line={<Line connection={connection} by={by} />}
        path={<ConnectionPath name={name} />}
      />
      <Card>
        <SecretSection connection={connection} value={value} />
        {isStatic && connection.kind === 'sandbox' && isForReference() && (
          <HandOver value={value} onReceived={() => setStored(true)} />
        )}
        <Section>
          <Check
            label={t(isStatic ? 'once.keptStatic' : 'once.kept')}
            hint={t(isNew ? 'once.lostStatic' : 'once.lost')}
            checked={isStored}
            onChange={setStored}
          />
          <Buttons>
            <Button
              variant="primary"
              disabled={!isStored}
              busy={begin.isPending}
              onClick={() => (isNew && begin.canSign ? begin.start() : onDone({}))}
            >
              {t(isNew && begin.canSign ? 'once.continue' : 'once.done')}
            </Button>
            {!isNew && source !== null && (
              <ButtonLink
                to="/companies/$companyId/sources/$sourceId/start"
                params={{ companyId: company_id, sourceId: source.source_id }}
                variant="quiet"
              >
                {t('once.quickStart', { name: isolate(source.name) })}
              </ButtonLink>
            )}
          </Buttons>
        </Section>
      </Card>
      {by === 'signing' && <WhatIsSigned connection={connection} />}
      {question}
    </>
  )
}

/** Sends the credential to the API reference that opened this window. */
function HandOver({ value, onReceived }: { value: string; onReceived: () => void }) {
  const { t } = useTranslation('connections')
  const send = useMutation({
    mutationFn: () => handOver(value),
    onSuccess: (isReceived) => {
      if (isReceived) onReceived()
    },
  })
  return (
    <Section>
      {send.data === undefined ? (
        <Buttons>
          <Button busy={send.isPending} onClick={() => send.mutate()}>
            {t('reference.handOver')}
          </Button>
        </Buttons>
      ) : (
        <Note role="status" tone={send.data ? 'green' : 'amber'}>
          {t(send.data ? 'reference.handedOver' : 'reference.left')}
        </Note>
      )}
    </Section>
  )
}

/** What the system needs, to copy or to save as a file. */
function SecretSection({ connection, value }: { connection: Connection; value: string }) {
  const { t } = useTranslation('connections')
  const { client_id } = connection
  const isStatic = client_id === null
  function save(): void {
    const file = new Blob([envFile(connection, location.origin, value)], { type: 'text/plain' })
    download(file, 'numera.env')
  }
  return (
    <Section>
      {client_id !== null && <SecretField label={t('once.clientId')} value={client_id} />}
      <SecretField label={t(isStatic ? 'once.credential' : 'once.secret')} value={value} />
      <Row>
        <Button icon="delivery" onClick={save}>
          {t('once.env')}
        </Button>
        <span className="small">{t(isStatic ? 'once.envStatic' : 'once.envClient')}</span>
      </Row>
    </Section>
  )
}

function Line({ connection, by }: { connection: Connection; by: Secret['by'] }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const name = isolate(connection.name)
  if (by === 'creation') return t('once.lineCreated', { name })
  if (by === 'signing') return t('once.lineSigned', { name })
  const end = connection.previous_credential_ends_at
  const previous =
    end === null || Date.parse(end) <= now
      ? t('once.oldEnded')
      : t('once.oldWorks', { when: format.instant(end) })
  return `${t('once.lineRotated', { name })} ${previous}`
}
