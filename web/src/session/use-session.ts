import { type QueryClient, type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'

export type Session = ApiResponse<'GET /console/session'>

/** Who is signed in; where no one is, whether someone was while the page was open. */
type SessionState = { session: Session } | { session: null; ended: boolean }

const sessionKey = ['session']

async function findSession({ client }: QueryFunctionContext): Promise<SessionState> {
  try {
    return { session: await callApi('GET /console/session', {}) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    const known = client.getQueryData<SessionState>(sessionKey)
    return { session: null, ended: known !== undefined && (known.session !== null || known.ended) }
  }
}

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: findSession })
}

/** Asks again who is signed in. */
export function renewSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionKey })
}

const signedOut: SessionState = { session: null, ended: false }

/** For when the person has signed out on this page, which then does not say that the session ended. */
export function clearSession(client: QueryClient): void {
  client.setQueryData(sessionKey, signedOut)
}
