import { useQuery } from '@tanstack/react-query'
import { AskError } from '../api/ask-error.ts'
import type { Progress } from './order.ts'

const everyMs = 2_000

/**
 * Asks every other second how an order stands, until it is over; also while the page is in the background, since the
 * person answers in another window.
 */
export const useProgress = <Found extends Progress>(orderId: string, collect: () => Promise<Found>) =>
  useQuery({
    queryKey: ['order', orderId],
    queryFn: collect,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { data, error } }) => {
      const refused = error instanceof AskError && error.status >= 400 && error.status < 500
      return refused || (data !== undefined && data.state !== 'pending') ? false : everyMs
    },
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: ({ state: { data } }) => data === undefined || data.state === 'pending',
  })
