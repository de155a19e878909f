import { type QueryClient, type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import { ask, type Answer } from '../api/ask.ts'
import { AskError } from '../api/ask-error.ts'

export type Session = Answer<'GET /console/session'>

/** Who is signed in; where nobody is, whether somebody was while the page was open. */
export type SessionState = { session: Session } | { session: null; ended: boolean }

const sessionKey = ['session']

const findSession = async ({ client }: QueryFunctionContext): Promise<SessionState> => {
  try {
    return { session: await ask('GET /console/session', {}) }
  } catch (error) {
    if (!(error instanceof AskError) || error.status !== 401) throw error
    const known = client.getQueryData<SessionState>(sessionKey)
    return { session: null, ended: known !== undefined && (known.session !== null || known.ended) }
  }
}

export const useSession = () => useQuery({ queryKey: sessionKey, queryFn: findSession })

/** Asks anew who is signed in. */
export const renewSession = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: sessionKey })

const signedOut: SessionState = { session: null, ended: false }

/** The person has signed out. */
export const dropSession = (client: QueryClient): void => {
  client.setQueryData(sessionKey, signedOut)
}
