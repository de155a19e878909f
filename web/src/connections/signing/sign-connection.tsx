import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import type { Connection } from '../../company/lists.ts'
import { removeRememberedOrder } from '../../identity/remembered-order.ts'
import { type Signing, SigningPanel } from '../../identity/signing-panel.tsx'
import { isolate } from '../../language/isolate.ts'
import { useMember } from '../../session/member.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ConnectionPath } from '../connection-path.tsx'
import { type NextStep, signingPurpose } from './next-step.ts'
import { useBeginSigning } from './use-begin-signing.ts'

type Progress =
  ApiResponse<'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect'>

/**
 * Shows what is to be signed, and waits for the signature.
 *
 * @param props.onEnd called once, with the connection where it has changed
 */
export function SignConnection({
  connection: { connection_id, name },
  signing,
  onEnd,
}: {
  connection: Connection
  signing: Signing
  onEnd: (next: NextStep, changed?: Connection) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { identity, csrf_token } = useMember()
  const { order, language } = signing
  const purpose = signingPurpose(connection_id, language)
  const begin = useBeginSigning(connection_id, onEnd)
  const path = { company_id, connection_id, order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel',
        { path, body: {} },
        csrf_token,
      ),
  })

  function onOutcome({ state, secret, connection }: Progress): void {
    if (state === 'completed_before') onEnd({ signingFault: 'completed_before' }, connection)
    else onEnd(secret === undefined ? {} : { secret: { value: secret, by: 'signing' } }, connection)
  }

  return (
    <>
      <PageHead
        title={t('signing.title', { name: isolate(name) })}
        line={t('signing.line')}
        path={<ConnectionPath name={name} />}
      />
      <Card>
        <SigningPanel
          title={t('signing.text')}
          signing={signing}
          provider={identity.demo ? 'demo' : 'bankid'}
          purpose={purpose}
          collect={(signal) =>
            callApi(
              'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect',
              { path, body: {}, signal },
              csrf_token,
            )
          }
          cancel={cancel.mutateAsync}
          onBegin={begin.start}
          session={csrf_token}
          onOutcome={onOutcome}
          onFailed={(failure, error) => onEnd({ signingFault: error ?? failure })}
          onGone={() => onEnd({})}
          onCancel={() => {
            removeRememberedOrder(purpose, order)
            cancel.mutate()
            onEnd({})
          }}
        />
      </Card>
    </>
  )
}
