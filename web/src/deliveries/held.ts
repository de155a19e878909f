import { createContext, use } from 'react'

/** Whether what comes is held back until the person goes on. */
export const HeldContext = createContext(false)

const held = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** For the queries of what changes with each delivery: held, they are not read anew by coming back to the page either. */
export function useHeld(): Partial<typeof held> {
  return use(HeldContext) ? held : {}
}
