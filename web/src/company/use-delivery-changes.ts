import { useEffect, useEffectEvent } from 'react'

/** How often it is asked whether there is something new, in milliseconds, where nothing tells of it. */
export const askEveryMs = 2_000

/** How often it is tried again to be told, in such questions. */
const asksBeforeReopening = 15

/** After how many of them without a word a stream is lost: the service says every few seconds that it is there. */
const silentAsksMax = 15

/**
 * Says when a company's deliveries have changed: one has come, was parsed, or a call was refused. It is told by the service
 * (server-sent events); where the stream does not open, falls silent, or is held back on its way, it asks. A page that nobody sees does
 * neither, and is told what it missed when it is seen again.
 *
 * @param isWanted whether to watch at all
 */
export function useDeliveryChanges(companyId: string, isWanted: boolean, onChange: () => void): void {
  const tell = useEffectEvent(onChange)
  useEffect(() => {
    if (!isWanted) return undefined
    const watch = createWatch(`/console/companies/${encodeURIComponent(companyId)}`, () => tell())
    const look = (): void => (document.visibilityState === 'hidden' ? watch.rest() : watch.start())
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      watch.rest()
    }
  }, [companyId, isWanted])
}

interface Watch {
  start: () => void
  rest: () => void
}

function createWatch(address: string, tell: () => void): Watch {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let isTold = false
  let asks = 0
  let silentAsks = 0
  /** What the service calls the last state that was told. */
  let version: string | undefined

  function hear(next: string): void {
    if (next === version) return
    version = next
    tell()
  }

  function open(): void {
    stream?.close()
    silentAsks = 0
    stream = new EventSource(`${address}/deliveries/events`)
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
      isTold = true
      silentAsks = 0
      hear(data)
    })
    stream.addEventListener('here', () => (silentAsks = 0))
    // It opens again by itself, unless the service refused it; until it tells something, it is asked.
    stream.addEventListener('error', () => (isTold = false))
  }

  async function ask(): Promise<void> {
    if (isTold && ++silentAsks <= silentAsksMax) return
    if (isTold) {
      // The other end went without a word.
      isTold = false
      open()
    }
    asks++
    if (asks % asksBeforeReopening === 0 && stream?.readyState === EventSource.CLOSED) open()
    try {
      const response = await fetch(`${address}/last-deliveries?limit=1`, {
        headers: version === undefined ? {} : { 'if-none-match': version },
      })
      // Whatever reads anew finds out why it was refused, and says so.
      if (response.status !== 304) hear(response.headers.get('etag') ?? `status ${response.status}`)
      await response.body?.cancel()
    } catch {
      // Without a network there is nothing to hear; the frame says that.
    }
  }

  return {
    start: () => {
      if (timer !== undefined) return
      open()
      timer = setInterval(() => void ask(), askEveryMs)
    },
    rest: () => {
      stream?.close()
      clearInterval(timer)
      stream = undefined
      timer = undefined
      isTold = false
    },
  }
}
