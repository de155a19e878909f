import { createContext, use } from 'react'

/** Whether the person has paused the lists, so that nothing new is shown. */
export const LivePauseContext = createContext(false)

const paused = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** Options for queries of live lists: while paused, returning to the page does not refetch them either. */
export function useLivePause(): Partial<typeof paused> {
  return use(LivePauseContext) ? paused : {}
}
