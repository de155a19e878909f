import { createContext, use } from 'react'

/** Whether what comes is held back until the person goes on. */
export const HeldContext = createContext(false)

/** For the queries of what changes with each delivery: held, they are not read anew by coming back to the page either. */
export function useHeld(): { staleTime?: number } {
  return use(HeldContext) ? { staleTime: Infinity } : {}
}
