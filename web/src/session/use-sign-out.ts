import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { clearSession } from './use-session.ts'

/**
 * Signs out, and forgets all that the pages knew.
 *
 * @param csrfToken the session's
 * @param onSignedOut called once it is done
 * @param operation of this browser, or of every one
 */
export function useSignOut(
  csrfToken: string,
  onSignedOut?: () => void,
  operation: 'POST /console/sign-out' | 'POST /console/sessions/sign-out' = 'POST /console/sign-out',
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(operation, { body: {} }, csrfToken),
    onSuccess: () => {
      onSignedOut?.()
      clearSession(client)
    },
  })
}
