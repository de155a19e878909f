import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** What came of one call. */
export interface Outcome {
  /** 0 where there was no answer. */
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
  /** Why there was no answer: `hung` where the call was given up. */
  fault?: string
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** When the call is given up: beyond every deadline that the service may have. */
  msMax?: number
}

/** The deadline of a call that reaches the database, and what a busy machine may add. */
export const callMsMax = 15_000
export const slackMs = 2_500

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

/** One call over HTTP, timed, whatever comes of it. Rejects never. */
export const callOnce = (url: string, options: CallOptions = {}): Promise<Outcome> => {
  const { method = 'GET', headers = {}, body, msMax = 30_000 } = options
  const startedMs = performance.now()
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout
    const end = (outcome: Omit<Outcome, 'ms'>): void => {
      clearTimeout(timer)
      resolve({ ...outcome, ms: performance.now() - startedMs })
    }
    const fail = (fault: string): void => end({ status: 0, headers: {}, text: '', fault })
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, agent, headers: { ...length, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => end({ status: answer.statusCode!, headers: answer.headers, text }))
      answer.on('error', (error) => fail(error.message))
    })
    timer = setTimeout(() => {
      fail('hung')
      sent.destroy()
    }, msMax)
    sent.on('error', (error) => fail(error.message))
    sent.end(body)
  })
}

/** What a refusal for want of the database, or of room, must be. */
export const isHonest503 = ({ status, headers }: Outcome): boolean =>
  status === 503 && /^[1-9]\d*$/.test(headers['retry-after'] ?? '')

export const told = ({ status, headers, text, ms, fault }: Outcome): string =>
  `${fault ?? status} after ${Math.round(ms)} ms, Retry-After ${headers['retry-after'] ?? 'none'} ${text.slice(0, 150)}`

/** The value that this share of the values does not exceed; 0 of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Calls again and again, so many at the same time with a pause between, until told to stop. */
export const keepCalling = (
  clients: number,
  pauseMs: number,
  one: () => Promise<void>,
): { stop(): Promise<void> } & AsyncDisposable => {
  const stopped = new AbortController()
  const client = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await one()
      if (pauseMs > 0 && !stopped.signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  all.catch(() => {})
  const stop = async (): Promise<void> => {
    stopped.abort()
    await all
  }
  // Whoever disposes does not wait for calls that hang.
  return { stop, [Symbol.asyncDispose]: async () => void stop().catch(() => {}) }
}
