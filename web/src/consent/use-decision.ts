import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import type { OrderFailure } from '../identity/failed-order.tsx'
import type { Purpose } from '../identity/remembered-order.ts'
import type { Device } from '../identity/order.ts'
import { returnTo } from '../identity/return-to.ts'
import { begunSigning, recallSigning } from '../identity/signing-in-hand.ts'
import type { Language } from '../language/language.ts'
import { type Choice, toSign } from './choice.ts'

export type Signed = ApiResponse<'POST /console/authorize/sign/{order_id}/collect'>

/** What is to be signed, and where the member has the app. */
interface ToSign {
  choice: Choice
  language: Language
  device: Device
}

/** What an order is remembered as: the same request is answered with it, and no other. */
export function signingPurpose(query: string, language?: Language): Purpose {
  return { of: 'consent', place: query, ...(language !== undefined && { language }) }
}

/**
 * Signing what was chosen, or denying it. A signature that was begun before, in a page that was left or in another tab, goes on.
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
        // No OpenID Connect provider signs.
        { body: { query, ...toSign(choice), language, ...returnTo('bankid'), device } },
        csrfToken,
      ),
    onSuccess: (response, { language, device }) => {
      setFailure(undefined)
      if (response.state === 'redirect') setRedirect(response.location)
      else setSigning(begunSigning(response, language, device))
    },
    // Of one that was to be in another's place: that is over.
    onError: () => setSigning(undefined),
  })
  const deny = useMutation({
    mutationFn: () => callApi('POST /console/authorize/deny', { body: { query } }, csrfToken),
    onSuccess: ({ location }) => setRedirect(location),
  })

  /** @param failure why nothing was signed, where it was not given up */
  function leaveSigning(failure?: OrderFailure): void {
    setFailure(failure)
    setSigning(undefined)
  }

  return {
    sign,
    deny,
    /** What waits to be signed. */
    signing,
    onSigned: ({ location }: Signed) => {
      if (location !== undefined) setRedirect(location)
    },
    leaveSigning,
    /** Why the last signature failed. */
    failure,
    /** Where the browser goes next, once that is decided. */
    redirect,
  }
}

export type Decision = ReturnType<typeof useDecision>
