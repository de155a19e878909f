import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { clearSession } from './use-session.ts'

/**
 * Signs out, and forgets all that the pages knew.
 *
 * @param onSignedOut called once it is done
 */
export function useSignOut(onSignedOut?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /console/sign-out', { body: {} }),
    onSuccess: () => {
      onSignedOut?.()
      clearSession(client)
    },
  })
}
