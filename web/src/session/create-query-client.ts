import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { AskError } from '../api/ask-error.ts'
import { renewSession } from './use-session.ts'

const triesMax = 2

/** What got no answer, or the service could not do, is tried again; what it refused is not. */
const mayTryAgain = (tries: number, error: Error): boolean =>
  tries < triesMax && error instanceof AskError && (error.status === 0 || error.status >= 500)

/** Every page's. Whichever call finds the session to be another than it was, the page goes on from there. */
export const createQueryClient = (): QueryClient => {
  const onError = (error: Error): void => {
    // 401: nobody is signed in any more. 403: somebody signed in anew in another window, so that the token against
    // forged writes is no longer this page's.
    if (error instanceof AskError && (error.status === 401 || error.status === 403)) void renewSession(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: mayTryAgain, staleTime: 60_000 } },
  })
  return client
}
