import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

/**
 * A list that the service returns page by page.
 *
 * @param readPage reads the page at a cursor, which is absent for the first one
 */
export function usePages<Page extends { next_cursor: string | null }>(
  queryKey: QueryKey,
  readPage: (cursor: { cursor?: string }) => Promise<Page>,
  options: { staleTime?: number } = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...options,
  })
}
