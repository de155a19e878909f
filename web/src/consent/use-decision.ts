import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import type { Language } from '../language/language.ts'
import { type Choice, toSign } from './choice.ts'

export type Signed = ApiResponse<'POST /console/authorize/sign/{order_id}/collect'>

/**
 * Signing what was chosen, or denying it.
 *
 * @param query the app's request
 */
export function useDecision(query: string, csrfToken: string) {
  const [failed, setFailed] = useState<string>()
  const [redirect, setRedirect] = useState<string>()
  const sign = useMutation({
    mutationFn: ({ choice, language }: { choice: Choice; language: Language }) =>
      callApi('POST /console/authorize/sign', { body: { query, ...toSign(choice), language } }, csrfToken),
    onMutate: () => setFailed(undefined),
    onSuccess: (response) => {
      if (response.state === 'redirect') setRedirect(response.location)
    },
  })
  const deny = useMutation({
    mutationFn: () => callApi('POST /console/authorize/deny', { body: { query } }, csrfToken),
    onSuccess: ({ location }) => setRedirect(location),
  })

  function onSigned(signed: Signed | ApiError): void {
    if (signed instanceof ApiError) setFailed(signed.code ?? 'ended')
    else if (signed.location !== undefined) setRedirect(signed.location)
    else setFailed(signed.reason ?? 'ended')
    sign.reset()
  }

  return {
    sign,
    deny,
    onSigned,
    /** Why the last signature failed. */
    failed,
    /** Where the browser goes next, once that is decided. */
    redirect,
  }
}

export type Decision = ReturnType<typeof useDecision>
