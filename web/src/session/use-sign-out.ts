import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { clearSession } from './use-session.ts'

/**
 * Signs out, and removes all data of the member.
 *
 * @param operation signs out this browser, or all of them
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
