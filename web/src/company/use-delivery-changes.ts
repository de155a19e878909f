import { focusManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { renewFromApi, type ApiResponse } from '../api/call-api.ts'
import { whenReachable } from '../api/reachability.ts'

/** The changes in an event of the service. */
export interface DeliveryChanges {
  /** As the lists have them, the latest first. */
  deliveries: readonly ApiResponse<'GET /console/companies/{company_id}/deliveries'>['deliveries'][number][]
  /** Whether a call was refused. */
  refusedCalls: boolean
}

/** The data of such an event; `deliveries` is null where there are too many to send. */
interface ChangeEventData {
  etag: string
  since: string | null
  deliveries: DeliveryChanges['deliveries'] | null
  refused_calls: boolean
}

/** A state of the company's deliveries, and what changed since the state before it, where that is known. */
interface LiveState {
  version: string
  since?: string | null
  changes?: DeliveryChanges
}

const readLast = 'GET /console/companies/{company_id}/last-deliveries'

/** After this long without a word from the service the page polls, in milliseconds. */
const pollEveryMs = 2_000

/** After this long without a word the page is no longer live, in milliseconds. The service sends one every second. */
const silentMsMax = 2_750

/** How long a poll may take, in milliseconds. */
const pollMsMax = 5_000

/** A stream that says nothing for this long is reopened even while polls are answered, in milliseconds. */
const reopenAfterMs = 30_000

/**
 * Calls `onChange` when a company's deliveries have changed: one was received or parsed, or a call was refused. The service
 * sends its state's version, and what has changed, as server-sent events; where the stream does not open, falls silent or is buffered by a proxy, the
 * page polls. A hidden page does neither and catches up when it is visible again.
 *
 * @param onChange called with what has changed; with nothing where that is unknown, and the lists have to be read
 * @returns since when nothing has been received, while that lasts; `onChange` is called once it ends
 */
export function useDeliveryChanges(
  company_id: string,
  isWanted: boolean,
  onChange: (changes?: DeliveryChanges) => void,
): number | undefined {
  const client = useQueryClient()
  const notify = useEffectEvent(onChange)
  const isVisible = useSyncExternalStore(onVisibility, () => focusManager.isFocused())
  const isWatching = isWanted && isVisible
  const queryKey = ['deliveries-version', company_id]
  // Each word of the stream is stored as a result of this query, which restarts its interval.
  const live = useQuery({
    queryKey,
    queryFn: () => pollState(company_id, client.getQueryData(queryKey)),
    enabled: isWatching,
    refetchInterval: pollEveryMs,
    initialData: { version: '' } as LiveState,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const receivedAt = live.dataUpdatedAt
  const reopen = useStream(company_id, isWatching, (received) =>
    client.setQueryData<LiveState>(queryKey, (known) => received ?? known),
  )
  const overdueSince = useOverdue(isWatching, receivedAt, reopen)
  const silentSince = live.isError ? receivedAt : overdueSince
  const isSilent = silentSince !== undefined
  const notified = useRef('')
  useEffect(() => {
    const { version, since, changes } = live.data
    if (isSilent) {
      notified.current = ''
      void whenReachable()
    } else if (version !== notified.current) {
      // A state in between may have come and gone without an effect.
      const follows = since === notified.current
      notified.current = version
      notify(follows ? changes : undefined)
    }
  }, [isSilent, live.data])
  return silentSince
}

function onVisibility(listener: () => void): () => void {
  return focusManager.subscribe(listener)
}

async function pollState(company_id: string, known?: LiveState): Promise<LiveState> {
  const request = { path: { company_id }, query: { limit: '1' }, signal: AbortSignal.timeout(pollMsMax) }
  const { etag } = await renewFromApi(readLast, request, {
    answer: undefined as never,
    etag: known?.version || null,
  })
  return known !== undefined && etag === known.version ? known : { version: etag ?? 'untagged' }
}

/** Since when nothing has been received, once that has lasted too long. */
function useOverdue(isWatching: boolean, receivedAt: number, onOverdue: () => void): number | undefined {
  const notify = useEffectEvent(onOverdue)
  const [overdueSince, setOverdueSince] = useState<number>()
  useEffect(() => {
    if (!isWatching) return undefined
    const timer = setTimeout(() => {
      setOverdueSince(receivedAt)
      notify()
    }, silentMsMax)
    return () => {
      clearTimeout(timer)
      setOverdueSince(undefined)
    }
  }, [isWatching, receivedAt])
  return overdueSince
}

/** Opens the stream of a company's changes. @returns reopens it, since its other end may be gone without a word */
function useStream(companyId: string, isWatching: boolean, onWord: (state?: LiveState) => void): () => void {
  const receive = useEffectEvent(onWord)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isWatching) return undefined
    const stream = new EventSource(`/console/companies/${encodeURIComponent(companyId)}/deliveries/events`)
    const reopen = (): void => setAttempt(attempt + 1)
    let reopening = setTimeout(reopen, reopenAfterMs)
    const onEvent = ({ type, data }: MessageEvent<string>): void => {
      clearTimeout(reopening)
      reopening = setTimeout(reopen, reopenAfterMs)
      receive(type === 'change' ? toLiveState(JSON.parse(data) as ChangeEventData) : undefined)
    }
    stream.addEventListener('change', onEvent)
    stream.addEventListener('heartbeat', onEvent)
    return () => {
      clearTimeout(reopening)
      stream.close()
    }
  }, [companyId, isWatching, attempt])
  return () => setAttempt((before) => before + 1)
}

function toLiveState({ etag, since, deliveries, refused_calls }: ChangeEventData): LiveState {
  if (deliveries === null) return { version: etag }
  return { version: etag, since, changes: { deliveries, refusedCalls: refused_calls } }
}
