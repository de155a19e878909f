import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import type { OrderFailure } from '../identity/failed-order.tsx'
import type { Device } from '../identity/order.ts'
import type { Purpose } from '../identity/remembered-order.ts'
import { returnTo } from '../identity/return-to.ts'
import { recallSigning, toSigning } from '../identity/signing-panel.tsx'
import type { Language } from '../language/language.ts'
import { type Choice, toSign } from './choice.ts'

/** What is to be signed, and where the member has the app. */
interface ToSign {
  choice: Choice
  language: Language
  device: Device
}

/** An order answers only the same request. */
export function signingPurpose(query: string, language?: Language): Purpose {
  return { of: 'consent', place: query, ...(language !== undefined && { language }) }
}

/**
 * Signing a choice, or denying it. Continues a signing that was started by an earlier page or in another tab.
 *
 * @param query the app's request
 */
export function useDecision(query: string, csrfToken: string) {
  const [signing, setSigning] = useState(() => recallSigning(signingPurpose(query)))
  const [failure, setFailure] = useState<OrderFailure>()
  const [redirect, setRedirect] = useState<string>()
  const sign = useMutation({
    mutationFn: ({ choice, language, device }: ToSign) =>
      callApi(
        'POST /console/authorize/sign',
        // OpenID Connect providers do not sign.
        { body: { query, ...toSign(choice), language, ...returnTo('bankid'), device } },
        csrfToken,
      ),
    onSuccess: (response, { language, device }) => {
      setFailure(undefined)
      if (response.state === 'redirect') setRedirect(response.location)
      else setSigning(toSigning(response, language, device))
    },
    // The order that this one was to replace is over.
    onError: () => setSigning(undefined),
  })
  const deny = useMutation({
    mutationFn: () => callApi('POST /console/authorize/deny', { body: { query } }, csrfToken),
    onSuccess: ({ location }) => setRedirect(location),
  })

  return {
    sign,
    deny,
    signing,
    onSigned: ({ location }: ApiResponse<'POST /console/authorize/sign/{order_id}/collect'>) => {
      if (location !== undefined) setRedirect(location)
    },
    /** @param failure absent where the member cancelled */
    leaveSigning: (failure?: OrderFailure) => {
      setFailure(failure)
      setSigning(undefined)
    },
    /** Why the last signature failed. */
    failure,
    /** Where the browser goes next, once that is decided. */
    redirect,
  }
}

export type Decision = ReturnType<typeof useDecision>
