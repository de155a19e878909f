import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { clearSession } from './use-session.ts'

/**
 * Signs out, and forgets all that the pages knew.
 *
 * @param csrfToken the session's
 * @param onSignedOut called once it is done
 */
export function useSignOut(csrfToken: string, onSignedOut?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /console/sign-out', { body: {} }, csrfToken),
    onSuccess: () => {
      onSignedOut?.()
      clearSession(client)
    },
  })
}
