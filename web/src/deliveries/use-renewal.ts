import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/** How long to wait for a list that is being read already, before it is looked again, in milliseconds. */
const waitMs = 100

interface Renewal {
  renew: () => void
  /** Gives up what is being read anew. What is read for the first time, or further, goes on. */
  stop: () => void
}

/**
 * Reads queries anew, one time after the other: what is asked for meanwhile is done once more afterwards, so that a change
 * is neither missed nor ever in the way of the person, who may be reading further pages.
 */
export function useRenewal(keys: readonly QueryKey[]): Renewal {
  const client = useQueryClient()
  const state = useRef({ isBusy: false, isAsked: false })

  async function renewWhileAsked(): Promise<void> {
    state.current.isBusy = true
    while (state.current.isAsked) {
      if (keys.some((queryKey) => client.isFetching({ queryKey }) > 0)) {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        continue
      }
      state.current.isAsked = false
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    }
    state.current.isBusy = false
  }

  return {
    renew: () => {
      state.current.isAsked = true
      if (!state.current.isBusy) void renewWhileAsked()
    },
    stop: () => {
      state.current.isAsked = false
      for (const queryKey of keys) void client.cancelQueries({ queryKey, predicate: isReadAnew })
    },
  }
}

function isReadAnew({ state: { data, fetchMeta } }: Query): boolean {
  return data !== undefined && fetchMeta?.fetchMore === undefined
}
