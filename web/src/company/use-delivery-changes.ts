import { useEffect, useEffectEvent, useState } from 'react'
import { idleHeaders } from '../api/page-idle.ts'
import { whenReachable } from '../api/reachability.ts'

/** After how long without a word from the service it is asked whether there is something new, in milliseconds. */
const askEveryMs = 2_000

/** After how long without a word the page is not live any more, in milliseconds. The service says each second that it is there. */
const silentMsMax = 2_750

/** How long an answer is waited for, in milliseconds. */
const answerMsMax = 5_000

/** After how many questions a silent stream is reopened. */
const asksBeforeReopening = 15

/**
 * Says when a company's deliveries have changed: one has come, was parsed, or a call was refused. The service tells it
 * (server-sent events); where the stream does not open, falls silent, or is held back on its way, the page asks. A hidden page
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
    const watch = new Watch(address, () => tell(), setSilentSince)
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

class Watch {
  readonly #address: string
  readonly #tell: () => void
  readonly #onSilence: (since?: number) => void
  #stream: EventSource | undefined
  #isWatching = false
  #isAsking = false
  #isSilent = false
  #heardAt = 0
  #nextAsk: ReturnType<typeof setTimeout> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  /** Since the stream has said something. */
  #asks = 0
  /** What the service calls the last state that was told. */
  #version: string | undefined

  constructor(address: string, tell: () => void, onSilence: (since?: number) => void) {
    this.#address = address
    this.#tell = tell
    this.#onSilence = onSilence
  }

  start(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#waitForWord()
    this.#open()
  }

  rest(): void {
    this.#isWatching = false
    this.#stream?.close()
    clearTimeout(this.#nextAsk)
    clearTimeout(this.#deadline)
  }

  #open(): void {
    this.#stream?.close()
    this.#asks = 0
    // It opens again by itself, unless the service refused it.
    this.#stream = new EventSource(`${this.#address}/deliveries/events`)
    this.#stream.addEventListener('change', ({ data }: MessageEvent<string>) => this.#hearStream(data))
    this.#stream.addEventListener('here', () => this.#hearStream())
  }

  #hearStream(version?: string): void {
    this.#asks = 0
    this.#hear(version)
  }

  #hear(version = this.#version): void {
    if (!this.#isWatching) return
    const wasSilent = this.#isSilent
    this.#isSilent = false
    this.#waitForWord()
    if (wasSilent) {
      this.#onSilence()
      if (this.#stream?.readyState === EventSource.CLOSED) this.#open()
    }
    // What was read meanwhile may have failed.
    if (version === this.#version && !wasSilent) return
    this.#version = version
    this.#tell()
  }

  #waitForWord(): void {
    this.#heardAt = Date.now()
    this.#askLater()
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => {
      this.#lose()
      // The other end may have gone without a word.
      this.#open()
    }, silentMsMax)
  }

  #askLater(): void {
    clearTimeout(this.#nextAsk)
    this.#nextAsk = setTimeout(() => void this.#ask(), askEveryMs)
  }

  #lose(): void {
    if (this.#isSilent || !this.#isWatching) return
    clearTimeout(this.#deadline)
    this.#isSilent = true
    this.#onSilence(this.#heardAt)
    void whenReachable()
  }

  async #ask(): Promise<void> {
    this.#askLater()
    if (this.#isAsking) return
    this.#isAsking = true
    if (++this.#asks % asksBeforeReopening === 0) this.#open()
    try {
      const response = await fetch(`${this.#address}/last-deliveries?limit=1`, {
        headers: {
          ...idleHeaders(),
          ...(this.#version === undefined ? {} : { 'if-none-match': this.#version }),
        },
        signal: AbortSignal.timeout(answerMsMax),
      })
      // What reads the lists finds out why it was refused, and says so.
      if (response.status >= 500) this.#lose()
      else if (response.status === 304) this.#hear()
      else this.#hear(response.headers.get('etag') ?? `status ${response.status}`)
      await response.body?.cancel()
    } catch {
      this.#lose()
    } finally {
      this.#isAsking = false
    }
  }
}
