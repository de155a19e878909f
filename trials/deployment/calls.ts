import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** The result of one call. */
export interface Outcome {
  /** 0 without an answer. */
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
  /** Why there was no answer; `hung` after `msMax`. */
  fault?: string
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Beyond every deadline of the service. */
  msMax?: number
}

/** The deadline of a call that needs the database, and a busy machine's delay. */
export const callMsMax = 15_000
export const slackMs = 2_500

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

/** One timed call over HTTP. Never rejects. */
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

/** The answer while the database or a budget is exhausted. */
export const isHonest503 = ({ status, headers }: Outcome): boolean =>
  status === 503 && /^[1-9]\d*$/.test(headers['retry-after'] ?? '')

export const describe = ({ status, headers, text, ms, fault }: Outcome): string =>
  `${fault ?? status} after ${Math.round(ms)} ms, Retry-After ${headers['retry-after'] ?? 'none'} ${text.slice(0, 150)}`

/** 0 for no values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Repeats a call with this many concurrent clients and a pause after each call, until stopped. */
export const callRepeatedly = (
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
  // Disposal does not wait for calls that hang.
  return { stop, [Symbol.asyncDispose]: async () => void stop().catch(() => {}) }
}
