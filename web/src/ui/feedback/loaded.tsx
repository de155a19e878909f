import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** The part of a TanStack query that this needs. */
interface Query<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/**
 * A query's data, with an error above where the last refetch failed; a skeleton while it loads; or why it could not be loaded.
 *
 * @param props.skeleton of the same size as the data
 */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: Query<Data>
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}) {
  const failure = query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) {
    return failure === false ? (skeleton ?? <SkeletonRows />) : failure
  }
  return (
    <>
      {failure}
      {children(query.data)}
    </>
  )
}

/** Loads the next page of a list. */
export function More({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}) {
  const { t } = useTranslation()
  if (!list.hasNextPage) return null
  return (
    <div>
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('ui.more')}
      </Button>
    </div>
  )
}
