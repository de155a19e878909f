import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** What of a query this needs. */
interface Query<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/**
 * What a query has: its data, and above it why they could not be renewed; else blocks while it loads; else why it could
 * not be loaded.
 *
 * @param skeleton in the place of the data while they load, of their size
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

/** Below a list of which the service gives a page at a time. */
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
