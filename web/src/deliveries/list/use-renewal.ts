import { type Query, type QueryKey, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

/**
 * Refetches queries when they have changed, once none of them is being fetched: no change is missed, and a further page that
 * is being read is not interrupted.
 */
export function useRenewal(queryKey: QueryKey) {
  const client = useQueryClient()
  const isFetching = useIsFetching({ queryKey }) > 0
  const [changes, setChanges] = useState(0)
  const fetched = useRef(0)
  useEffect(() => {
    if (fetched.current === changes || isFetching) return
    fetched.current = changes
    void client.invalidateQueries({ queryKey })
  }, [client, queryKey, changes, isFetching])
  return {
    renew: () => setChanges((before) => before + 1),
    /** Cancels refetches. What is fetched for the first time, or as a further page, continues. */
    stop: () => {
      fetched.current = changes
      void client.cancelQueries({ queryKey, predicate: isRefetch })
    },
  }
}

function isRefetch({ state: { data, fetchMeta } }: Query): boolean {
  return data !== undefined && fetchMeta?.fetchMore === undefined
}
