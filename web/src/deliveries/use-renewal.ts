import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/** How long to wait for a list that is being read already, before it is looked again, in milliseconds. */
const waitMs = 100

/**
 * Reads queries anew, one time after the other: what is asked for meanwhile is done once more afterwards, so that a change
 * is neither missed nor ever in the way of the person, who may be reading further pages.
 */
export function useRenewal(keys: readonly QueryKey[]): () => void {
  const client = useQueryClient()
  const state = useRef({ isBusy: false, isAsked: false })

  async function renew(): Promise<void> {
    state.current.isBusy = true
    while (state.current.isAsked) {
      while (keys.some((queryKey) => client.isFetching({ queryKey }) > 0)) {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
      state.current.isAsked = false
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    }
    state.current.isBusy = false
  }

  return () => {
    state.current.isAsked = true
    if (!state.current.isBusy) void renew()
  }
}
