import { type QueryClient, type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'

export type Session = ApiResponse<'GET /console/session'>

/** The session; without one, whether it ended while the page was open. */
type SessionState =
  | { session: Session }
  | {
      session: null
      ended: boolean
      /** The member of the session that ended. */
      memberId?: string
    }

const sessionKey = ['session']

async function findSession({ client }: QueryFunctionContext): Promise<SessionState> {
  const known = client.getQueryData<SessionState>(sessionKey)
  const memberId = known?.session === null ? known.memberId : known?.session.member_id
  try {
    const session = await callApi('GET /console/session', {})
    // Another member must not see the first one's data. What failed without a session is fetched again.
    if (memberId !== undefined && memberId !== session.member_id) removeAllButSession(client)
    else if (known?.session === null) void refetchFailed(client)
    return { session }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    const ended = known !== undefined && (known.session !== null || known.ended)
    return { session: null, ended, ...(ended && memberId !== undefined && { memberId }) }
  }
}

const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: findSession,
  // It may have ended in another window.
  refetchOnWindowFocus: 'always',
})

export function useSession() {
  return useQuery(sessionQuery)
}

/**
 * Fetches the session while the page's scripts are still loading. The browser preloads the answer, so a sign-in on another page may
 * have come after it, and have been announced before this page listened. If there is no session, the service is asked once more.
 */
export async function prefetchSession(client: QueryClient): Promise<void> {
  await client.prefetchQuery(sessionQuery)
  if (client.getQueryData<SessionState>(sessionKey)?.session === null) await renewSession(client)
}

/** The session, as soon as it is known; undefined without one, or where it could not be read. */
export function knownSession(client: QueryClient): Promise<Session | undefined> {
  return client.ensureQueryData(sessionQuery).then(
    ({ session }) => session ?? undefined,
    () => undefined,
  )
}

/** How long the document's own frame may wait for the session, in milliseconds; then the page shows that it is loading. */
const frameWaitsMs = 1_000

/** Waits for the session, but not for long. */
export function awaitSession(client: QueryClient): Promise<unknown> {
  return Promise.race([knownSession(client), new Promise((resolve) => setTimeout(resolve, frameWaitsMs))])
}

export function renewSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionKey })
}

const signedOut: SessionState = { session: null, ended: false }

/** Tells the other pages of this browser that the person has signed in or out. */
const changes = new BroadcastChannel('numera.session')

/** After signing in, which pages that wait for a session notice too: perhaps the app has opened one of them. */
export function announceSession(client: QueryClient): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  changes.postMessage('in')
  return renewSession(client)
}

/** After signing out: removes what this and the browser's other pages know. None of them says that the session ended. */
export function clearSession(client: QueryClient): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  changes.postMessage('out')
  removeSession(client)
}

/** Follows sign-ins and sign-outs on the browser’s other pages. */
export function followSession(client: QueryClient): void {
  changes.addEventListener('message', ({ data }) => {
    if (data === 'in') void renewSession(client)
    else removeSession(client)
  })
}

function removeSession(client: QueryClient): void {
  // A pending answer would bring it back.
  void client.cancelQueries({ queryKey: sessionKey }, { revert: false, silent: true })
  client.setQueryData(sessionKey, signedOut)
  removeAllButSession(client)
}

function removeAllButSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

async function refetchFailed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey, state }) => state.status === 'error' && queryKey[0] !== sessionKey[0],
  })
}
