import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { Check } from '../ui/check.tsx'
import { SecretField } from '../ui/copy.tsx'
import { download } from '../ui/download.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { useLeaveGuard } from '../ui/unsaved-guard.tsx'
import { useNow } from '../ui/use-now.ts'
import { ConnectionPath } from './connection-path.tsx'
import { envFile } from './env-file.ts'
import { handOver, isForReference } from './hand-over.ts'
import type { InHand } from './in-hand.ts'
import classes from './shown-once.module.css'
import { WhatIsSigned } from './what-is-signed.tsx'
import { useBeginSigning } from './use-begin-signing.ts'

/** A connection's secret, shown once; "Done" opens when the person says that it is kept. */
export function ShownOnce({
  connection,
  secret,
  onDone,
}: {
  connection: Connection
  secret: NonNullable<InHand['secret']>
  onDone: (next: InHand) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const [isKept, setKept] = useState(false)
  const question = useLeaveGuard(!isKept, {
    title: t('once.leaveTitle'),
    text: t(secret.by === 'making' ? 'once.leaveTextMade' : 'once.leaveText'),
  })
  const { name, source } = connection
  const isStatic = connection.client_id === null
  const begin = useBeginSigning(connection.connection_id, onDone)
  return (
    <>
      <PageHead
        title={t(isStatic ? 'once.titleStatic' : 'once.title')}
        line={<WhatCame connection={connection} by={secret.by} />}
        path={<ConnectionPath name={name} />}
      />
      <Card>
        <SecretSection connection={connection} value={secret.value} />
        {isStatic && connection.kind === 'sandbox' && isForReference() && (
          <HandOver value={secret.value} onTaken={() => setKept(true)} />
        )}
        <Section>
          <Check
            label={t(isStatic ? 'once.keptStatic' : 'once.kept')}
            hint={t(secret.by === 'making' ? 'once.lostStatic' : 'once.lost')}
            checked={isKept}
            onChange={setKept}
          />
          <Buttons>
            <Button
              variant="primary"
              disabled={!isKept}
              busy={begin.isPending}
              onClick={() => (secret.by === 'making' && begin.canSign ? begin.start() : onDone({}))}
            >
              {t(secret.by === 'making' && begin.canSign ? 'once.goOn' : 'once.done')}
            </Button>
            {secret.by !== 'making' && source !== null && (
              <ButtonLink
                to="/companies/$companyId/sources/$sourceId"
                params={{ companyId: company_id, sourceId: source.source_id }}
                variant="quiet"
              >
                {t('once.quickStart', { name: isolate(source.name) })}
              </ButtonLink>
            )}
          </Buttons>
        </Section>
      </Card>
      {secret.by === 'signing' && <WhatIsSigned connection={connection} />}
      {question}
    </>
  )
}

/** Brings the credential to the API reference, which opened this window for it. */
function HandOver({ value, onTaken }: { value: string; onTaken: () => void }) {
  const { t } = useTranslation('connections')
  const bring = useMutation({
    mutationFn: () => handOver(value),
    onSuccess: (isTaken) => {
      if (isTaken) onTaken()
    },
  })
  return (
    <Section>
      {bring.data === undefined ? (
        <Buttons>
          <Button busy={bring.isPending} onClick={() => bring.mutate()}>
            {t('reference.handOver')}
          </Button>
        </Buttons>
      ) : (
        <Note role="status" tone={bring.data ? 'green' : 'amber'}>
          {t(bring.data ? 'reference.handedOver' : 'reference.left')}
        </Note>
      )}
    </Section>
  )
}

/** What the system needs, to be copied or taken as a file. */
function SecretSection({ connection, value }: { connection: Connection; value: string }) {
  const { t } = useTranslation('connections')
  const { client_id } = connection
  const isStatic = client_id === null
  return (
    <Section>
      {client_id !== null && <SecretField label={t('once.clientId')} value={client_id} />}
      <SecretField label={t(isStatic ? 'once.credential' : 'once.secret')} value={value} />
      <div className={classes.file}>
        <Button
          icon="delivery"
          onClick={() =>
            download(
              new Blob([envFile(connection, location.origin, value)], { type: 'text/plain' }),
              'numera.env',
            )
          }
        >
          {t('once.env')}
        </Button>
        <span className="small">{t(isStatic ? 'once.envStatic' : 'once.envClient')}</span>
      </div>
    </Section>
  )
}

function WhatCame({ connection, by }: { connection: Connection; by: 'making' | 'signing' | 'rotation' }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const name = isolate(connection.name)
  if (by === 'making') return t('once.lineMade', { name })
  if (by === 'signing') return t('once.lineSigned', { name })
  const end = connection.previous_credential_ends_at
  return `${t('once.lineRotated', { name })} ${
    end === null || Date.parse(end) <= now
      ? t('once.oldEnded')
      : t('once.oldWorks', { when: format.instant(end) })
  }`
}
