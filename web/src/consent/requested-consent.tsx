import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import type { Session } from '../session/use-session.ts'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/skeleton.tsx'
import { Consent } from './consent.tsx'
import { InvalidRequest } from './invalid-request.tsx'
import { OnlyDeny } from './only-deny.tsx'
import { Redirecting } from './redirecting.tsx'

/** The request as the app sent the browser here with it. The service checks it again with each call. */
const query = location.search.slice(1)

/** Finds out what the app requests of the member, and shows that. */
export function RequestedConsent({ session }: { session: Session }) {
  // Once for each session: where there is nothing to consent to, the response holds an authorization code.
  const request = useQuery({
    queryKey: ['authorize', session.csrf_token],
    queryFn: () => callApi('POST /console/authorize', { body: { query } }, session.csrf_token),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })
  if (request.isPending) return <Loading />
  if (request.isError) {
    const isInvalid = request.error instanceof ApiError && [400, 404].includes(request.error.status)
    if (isInvalid) return <InvalidRequest />
    return <Failure error={request.error} onRetry={() => void request.refetch()} />
  }
  if (request.data.state === 'redirect') return <Redirecting location={request.data.location} />
  if (!session.identity.signs) {
    return <OnlyDeny request={request.data} query={query} csrfToken={session.csrf_token} />
  }
  return <Consent request={request.data} query={query} session={session} />
}
