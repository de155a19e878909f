import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi, type Operation, type Token } from '../api/call-api.ts'
import { useRecentSignIn } from './sign-in-again.ts'

/**
 * A write to the console API as the signed-in member; `mutate` takes the request. Where the service requires a recent
 * sign-in, the member signs in again first.
 */
export function useWrite<Called extends Exclude<Operation, `GET ${string}`>>(
  operation: Called,
  options: Omit<UseMutationOptions<ApiResponse<Called>, Error, ApiRequest<Called>>, 'mutationFn'> = {},
) {
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    ...options,
    mutationFn: (request: ApiRequest<Called>) =>
      withRecentSignIn((csrfToken) => callApi(operation, request, ...([csrfToken] as Token<Called>))),
  })
}
