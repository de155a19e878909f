import { useEffect, useEffectEvent, useState } from 'react'
import { whenReachable } from '../api/reachability.ts'

/** After how long without a word from the service it is asked whether there is something new, in milliseconds. */
const askEveryMs = 2_000

/** After how long without a word the page is not live any more, in milliseconds. The service says each second that it is there. */
const silentMsMax = 2_750

/** How long an answer is waited for, in milliseconds. */
const answerMsMax = 5_000

/** After how many questions a stream that still says nothing is opened anew. */
const asksBeforeReopening = 15

/**
 * Says when a company's deliveries have changed: one has come, was parsed, or a call was refused. The service tells it
 * (server-sent events); where the stream does not open, falls silent, or is held back on its way, the page asks. A page that nobody sees
 * does neither, and learns what it missed when it is seen again.
 *
 * @param isWanted whether to watch at all
 * @returns since when nothing has been heard, while that lasts; then `onChange` is called in any case
 */
export function useDeliveryChanges(
  companyId: string,
  isWanted: boolean,
  onChange: () => void,
): number | undefined {
  const [silentSince, setSilentSince] = useState<number>()
  const tell = useEffectEvent(onChange)
  useEffect(() => {
    if (!isWanted) return undefined
    const address = `/console/companies/${encodeURIComponent(companyId)}`
    const watch = createWatch(address, () => tell(), setSilentSince)
    const look = (): void => (document.visibilityState === 'hidden' ? watch.rest() : watch.start())
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      watch.rest()
    }
  }, [companyId, isWanted])
  return silentSince
}

interface Watch {
  start: () => void
  rest: () => void
}

function createWatch(address: string, tell: () => void, onSilence: (since?: number) => void): Watch {
  let stream: EventSource | undefined
  let isWatching = false
  let isAsking = false
  let isSilent = false
  let heardAt = 0
  let nextAsk: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined
  /** Since the stream has said something. */
  let asks = 0
  /** What the service calls the last state that was told. */
  let version: string | undefined

  function open(): void {
    stream?.close()
    asks = 0
    stream = new EventSource(`${address}/deliveries/events`)
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => hearStream(data))
    // It opens again by itself, unless the service refused it.
    stream.addEventListener('here', () => hearStream())
  }

  function hearStream(next?: string): void {
    asks = 0
    hear(next)
  }

  function hear(next = version): void {
    if (!isWatching) return
    const wasSilent = isSilent
    isSilent = false
    waitForWord()
    if (wasSilent) {
      onSilence()
      if (stream?.readyState === EventSource.CLOSED) open()
    }
    // What was read meanwhile may have failed.
    if (next === version && !wasSilent) return
    version = next
    tell()
  }

  function waitForWord(): void {
    heardAt = Date.now()
    askIn(askEveryMs)
    clearTimeout(deadline)
    deadline = setTimeout(() => {
      lose()
      // The other end may have gone without a word.
      open()
    }, silentMsMax)
  }

  function askIn(ms: number): void {
    clearTimeout(nextAsk)
    nextAsk = setTimeout(() => void ask(), ms)
  }

  function lose(): void {
    clearTimeout(deadline)
    if (isSilent || !isWatching) return
    isSilent = true
    onSilence(heardAt)
    void whenReachable()
  }

  async function ask(): Promise<void> {
    askIn(askEveryMs)
    if (isAsking) return
    isAsking = true
    if (++asks % asksBeforeReopening === 0) open()
    try {
      const response = await fetch(`${address}/last-deliveries?limit=1`, {
        headers: version === undefined ? {} : { 'if-none-match': version },
        signal: AbortSignal.timeout(answerMsMax),
      })
      // What reads anew finds out why it was refused, and says so.
      if (response.status >= 500) lose()
      else if (response.status === 304) hear()
      else hear(response.headers.get('etag') ?? `status ${response.status}`)
      await response.body?.cancel()
    } catch {
      lose()
    } finally {
      isAsking = false
    }
  }

  return {
    start: () => {
      if (isWatching) return
      isWatching = true
      waitForWord()
      open()
    },
    rest: () => {
      isWatching = false
      stream?.close()
      clearTimeout(nextAsk)
      clearTimeout(deadline)
    },
  }
}
