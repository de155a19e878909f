import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import { forgetOrder } from '../identity/remembered-order.ts'
import { SignedText } from '../identity/signed-text.tsx'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Card } from '../ui/card.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { ConnectionPath } from './connection-path.tsx'
import { type InHand, signingPurpose } from './in-hand.ts'
import type { SigningProgress } from './sign-calls.ts'
import { useBeginSigning } from './use-begin-signing.ts'

/**
 * Shows what is to be signed and waits for the signature.
 *
 * @param onEnd called once, with what comes next and the connection where it has changed
 */
export function SignConnection({
  connection,
  signing,
  onEnd,
}: {
  connection: Connection
  signing: NonNullable<InHand['signing']>
  onEnd: (next: InHand, changed?: Connection) => void
}) {
  const { t } = useTranslation('connections')
  const { identity, csrf_token } = useMember()
  const { order, language } = signing
  const { connection_id, name } = connection
  const purpose = signingPurpose(connection_id, language)
  const { text, collect, cancel } = useSigning(connection_id, signing)
  const begin = useBeginSigning(connection_id, onEnd)

  function onOutcome(outcome: SigningProgress): void {
    if (outcome.state === 'completed_before') onEnd({ signingFault: 'completed_before' }, outcome.connection)
    else if (outcome.secret === undefined) onEnd({}, outcome.connection)
    else onEnd({ secret: { value: outcome.secret, by: 'signing' } }, outcome.connection)
  }

  const title = t('signing.title', { name: isolate(name) })
  return (
    <>
      <PageHead title={title} line={t('signing.line')} path={<ConnectionPath name={name} />} />
      <Card>
        {text !== undefined && (
          <Section title={t('signing.text')}>
            <SignedText text={text} language={language} />
          </Section>
        )}
        <Section>
          <OrderPanel
            order={order}
            provider={identity.demo ? 'demo' : 'bankid'}
            purpose={purpose}
            collect={collect}
            cancel={cancel}
            onBegin={begin.start}
            session={csrf_token}
            onOutcome={onOutcome}
            onFailed={(failure, error) => onEnd({ signingFault: error ?? failure })}
            onGone={() => onEnd({})}
            onCancel={() => {
              forgetOrder(purpose, order)
              void cancel().catch(() => undefined)
              onEnd({})
            }}
          />
        </Section>
      </Card>
    </>
  )
}

/** The calls about an order, and what it signs as soon as that is known. */
function useSigning(connection_id: string, { order, text: begunText }: NonNullable<InHand['signing']>) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const [collectedText, setText] = useState<string>()
  const path = { company_id, connection_id, order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel',
        { path, body: {} },
        csrf_token,
      ),
  })

  async function collect(signal: AbortSignal): Promise<SigningProgress> {
    const progress = await callApi(
      'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect',
      { path, body: {}, signal },
      csrf_token,
    )
    if (progress.visible_text !== undefined) setText(progress.visible_text)
    return progress
  }

  return { text: begunText ?? collectedText, collect, cancel: () => cancel.mutateAsync() }
}
