import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import { SignedText } from '../identity/signed-text.tsx'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Card } from '../ui/card.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { ConnectionPath } from './connection-path.tsx'
import type { InHand } from './in-hand.ts'
import type { SigningProgress } from './sign-calls.ts'

/**
 * Shows what is to be signed and waits for the signature.
 *
 * @param onEnd called once, with what comes next and the connection where it has changed
 */
export function SignConnection({
  connection,
  signing: { order, language },
  onEnd,
}: {
  connection: Connection
  signing: NonNullable<InHand['signing']>
  onEnd: (next: InHand, changed?: Connection) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const { connection_id, name } = connection
  const path = { company_id, connection_id, order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel',
        { path, body: {} },
        csrf_token,
      ),
  })

  function onOutcome(outcome: SigningProgress | ApiError): void {
    if (outcome instanceof ApiError) onEnd({ signingFault: outcome })
    else if (outcome.state === 'failed') onEnd({ signingFault: outcome.reason ?? 'ended' })
    else if (outcome.state === 'completed_before')
      onEnd({ signingFault: 'completed_before' }, outcome.connection)
    else if (outcome.secret === undefined) onEnd({}, outcome.connection)
    else onEnd({ secret: { value: outcome.secret, by: 'signing' } }, outcome.connection)
  }

  const title = t('signing.title', { name: isolate(name) })
  return (
    <>
      <PageHead title={title} line={t('signing.line')} path={<ConnectionPath name={name} />} />
      <Card>
        <Section title={t('signing.text')}>
          <SignedText text={order.visible_text ?? ''} language={language} />
        </Section>
        <Section>
          <OrderPanel
            order={order}
            waiting={t('signing.waiting')}
            collect={() =>
              callApi(
                'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect',
                { path, body: {} },
                csrf_token,
              )
            }
            session={csrf_token}
            onOutcome={onOutcome}
            onCancel={() => {
              cancel.mutate()
              onEnd({})
            }}
          />
        </Section>
      </Card>
    </>
  )
}
