import { type QueryClient, type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'

export type Session = ApiResponse<'GET /console/session'>

/** Who is signed in; where no one is, whether someone was while the page was open. */
type SessionState =
  | { session: Session }
  | {
      session: null
      ended: boolean
      /** Whose the one that ended was. */
      memberId?: string
    }

const sessionKey = ['session']

async function findSession({ client }: QueryFunctionContext): Promise<SessionState> {
  const known = client.getQueryData<SessionState>(sessionKey)
  const memberId = known?.session === null ? known.memberId : known?.session.member_id
  try {
    const session = await callApi('GET /console/session', {})
    // What one member saw is not for another; what failed for want of a session is asked for again.
    if (memberId !== undefined && memberId !== session.member_id) forgetAllButSession(client)
    else if (known?.session === null) void renewFailed(client)
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
  // It may have ended elsewhere, while no one saw the page.
  refetchOnWindowFocus: 'always',
})

export function useSession() {
  return useQuery(sessionQuery)
}

/** Begins to ask who is signed in, while the page that needs it is still being loaded. */
export function prefetchSession(client: QueryClient): void {
  void client.prefetchQuery(sessionQuery)
}

/** Who is signed in, as it is known or as soon as it is; undefined where no one is, or it cannot be found out. */
export function knownSession(client: QueryClient): Promise<Session | undefined> {
  return client.ensureQueryData(sessionQuery).then(
    ({ session }) => session ?? undefined,
    () => undefined,
  )
}

/** For how long the document's own frame stands for the want of who is signed in, milliseconds; then the page says that it waits. */
const frameStandsMs = 1_000

/** Waits until it is known who is signed in, but not for long. */
export function awaitSession(client: QueryClient): Promise<unknown> {
  return Promise.race([knownSession(client), new Promise((resolve) => setTimeout(resolve, frameStandsMs))])
}

/** Asks again who is signed in. */
export function renewSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionKey })
}

const signedOut: SessionState = { session: null, ended: false }

/** On which the pages of a browser tell each other that the person has signed out. */
const signOuts = new BroadcastChannel('numera.sign-out')

/**
 * For when the person has signed out on this page: neither it nor the other pages of the browser say that the session ended. What
 * they knew for the person is forgotten.
 */
export function clearSession(client: QueryClient): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  signOuts.postMessage(null)
  forgetSession(client)
}

/** Follows the person's signing out on other pages of the browser. */
export function followSignOut(client: QueryClient): void {
  signOuts.addEventListener('message', () => forgetSession(client))
}

function forgetSession(client: QueryClient): void {
  // An answer from before would bring it back.
  void client.cancelQueries({ queryKey: sessionKey }, { revert: false, silent: true })
  client.setQueryData(sessionKey, signedOut)
  forgetAllButSession(client)
}

function forgetAllButSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

async function renewFailed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey, state }) => state.status === 'error' && queryKey[0] !== sessionKey[0],
  })
}
