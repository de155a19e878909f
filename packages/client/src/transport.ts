import { toError } from './errors.ts'
import { followHeaders, newBucket, takeToken } from './rate.ts'
import { type Backoff, nextStep, readRetryAfter } from './retry.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** 0 to 1, without 1. */
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
  random: () => Math.random(),
}

export interface Request {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** Sends the body in slices: `fetch` copies a body of bytes whole, for each attempt. Not in browsers. */
  isStreamed?: boolean
}

export interface Answer {
  /** Null if there was no answer, or only part of one. */
  status: number | null
  headers: Headers
  json: Record<string, unknown> | undefined
  cause?: unknown
}

export interface SendOptions {
  /** Whether the JSON of a 2xx is what it should be. */
  isExpected: (json: Record<string, unknown>, status: number) => boolean
  backoff: Backoff
  signal?: AbortSignal | undefined
  /** Waits for the client's own bucket before each attempt. */
  isRated?: boolean
  /** Called before each attempt with the request; gives that of this attempt. */
  prepare?: (request: Request) => Promise<Request>
  /** What follows a 401: whether it is sent again immediately. */
  onUnauthenticated?: (sent: Request) => Promise<boolean>
}

/** Sends requests by the rules of `retry.ts` and `rate.ts`. */
export class Transport {
  readonly clock: Clock
  readonly #fetch: typeof fetch
  readonly #timeoutMs: number
  #bucket
  /** Calls with a token of the bucket and no answer yet. */
  #outstanding = 0

  /** @param timeoutMs of one attempt */
  constructor({
    fetch,
    clock,
    timeoutMs,
  }: {
    fetch: typeof globalThis.fetch
    clock: Clock
    timeoutMs: number
  }) {
    this.#fetch = fetch
    this.clock = clock
    this.#timeoutMs = timeoutMs
    this.#bucket = newBucket(clock.now())
  }

  /**
   * Sends a request until there is an answer that stays the same.
   *
   * @throws NumeraError for a refusal, and when the client gives up; the signal's reason
   */
  async send(request: Request, options: SendOptions): Promise<Answer & { attempts: number }> {
    const { backoff, signal, prepare, onUnauthenticated } = options
    const startedMs = this.clock.now()
    let pauses = 0
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted()
      const prepared = prepare ? await untilAborted(prepare(request), signal) : request
      const answer = await this.#attempt(prepared, options)
      const nowMs = this.clock.now()
      const readable = isReadable(answer, options)
      if (answer.status === 401 && readable && (await onUnauthenticated?.(prepared))) continue
      const serverMs = Date.parse(answer.headers.get('date') ?? '')
      const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), serverMs || nowMs)
      const step = nextStep(
        backoff,
        { status: answer.status, readable, retryAfterMs },
        { pauses, elapsedMs: nowMs - startedMs, random: this.clock.random() },
      )
      if (step.do === 'accept') return { ...answer, attempts }
      if (step.do !== 'wait') {
        const isService = readable || (answer.status !== null && answer.status >= 400)
        const shown = isService ? answer : { ...answer, json: undefined }
        throw toError(shown, { attempts, retryAfterMs, cause: answer.cause })
      }
      if (step.counts) pauses++
      await this.clock.sleep(step.ms, signal)
    }
  }

  async #attempt(request: Request, { isRated, signal }: SendOptions): Promise<Answer> {
    if (!isRated) return this.#fetchOnce(request, signal)
    const { bucket, waitMs } = takeToken(this.#bucket, this.clock.now())
    this.#bucket = bucket
    this.#outstanding++
    try {
      if (waitMs > 0) await this.clock.sleep(waitMs, signal)
      const answer = await this.#fetchOnce(request, signal)
      this.#follow(answer.headers)
      return answer
    } finally {
      this.#outstanding--
    }
  }

  #follow(headers: Headers): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
      const text = headers.get(`ratelimit-${name}`)
      return text === null ? Number.NaN : Number(text)
    }) as [number, number, number]
    const others = this.#outstanding - 1
    this.#bucket = followHeaders(this.#bucket, { limit, remaining, reset }, others, this.clock.now())
  }

  /** One attempt. A redirect is not followed: it may turn a POST into a GET, or take the credential elsewhere. */
  async #fetchOnce(request: Request, signal?: AbortSignal): Promise<Answer> {
    const { url, method, headers, body, isStreamed } = request
    const controller = new AbortController()
    const stop = (): void => controller.abort(signal?.reason)
    const timer = setTimeout(
      () => controller.abort(new DOMException('The attempt took too long', 'TimeoutError')),
      this.#timeoutMs,
    )
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      const init: RequestInit = { method, headers, redirect: 'manual', signal: controller.signal }
      if (isStreamed) Object.assign(init, { body: toStream(body as Uint8Array), duplex: 'half' })
      else if (body !== undefined) init.body = body
      // Browsers refuse a `fetch` that is called as a method.
      const fetch = this.#fetch
      const response = await fetch(url, init)
      const text = await response.text()
      return { status: response.status || null, headers: response.headers, json: parseObject(text) }
    } catch (cause) {
      signal?.throwIfAborted()
      return { status: null, headers: new Headers(), json: undefined, cause }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

const sliceBytes = 65_536

function toStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + sliceBytes))
      at += sliceBytes
    },
  })
}

/** Stops waiting when the signal is aborted; work that other calls share continues. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function isReadable({ status, json }: Answer, { isExpected }: SendOptions): boolean {
  if (status === 304) return true
  if (status === null || json === undefined) return false
  return status < 200 || status >= 300 || isExpected(json, status)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
