import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import type { Issued } from './certificate.ts'
import { checkOrderRequest, checkReference, InvalidParameters } from './check-request.ts'
import { AlreadyInProgress, type Orders } from './orders.ts'

export interface ApiOptions {
  /** Milliseconds since 1970. */
  now?: () => number
  /** The least time between two collects of an order; 1 second by default. */
  collectMsMin?: number
  /** What happens to an earlier collect, which `calls` records in any case; refused by default. */
  onTooSoon?: 'refuse' | 'allow'
  /** The time within which a request must arrive; 10 seconds by default. */
  requestMsMax?: number
}

/** A call that the stand-in received. */
export interface BankIdCall {
  /** When it had arrived by the stand-in's clock, in milliseconds since 1970. */
  atMs: number
  method: string
  /** The part after `/rp/v6.0`, such as `/collect`. */
  path: string
  /** From the request of `collect` and `cancel`, from the response of `auth` and `sign`. */
  orderRef: string | undefined
  body: unknown
  status: number
  errorCode: string | undefined
  /** The order was collected again before `collectMsMin`. */
  isTooSoon: boolean
}

/** Replaces or delays the stand-in's own answer. */
export interface ForcedAnswer {
  /** The calls that it applies to, such as `/collect`; all by default. */
  path?: string
  status?: number
  errorCode?: string
  details?: string
  /** Instead of an error: a string is sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** Before answering. Without a status, code or body the stand-in's own answer follows. */
  delayMs?: number
  /** Closes the connection without an answer. */
  hangUp?: boolean
  /** The number of calls that it applies to; 1 by default. */
  times?: number
}

export const prefix = '/rp/v6.0'
/** Several times the largest valid request. A larger one is answered 400. */
const bodyBytesMax = 1_048_576
const paths = new Set(['/auth', '/sign', '/collect', '/cancel'])

interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

function refusal(status: number, errorCode: string, details = errorCode): Answer {
  return { status, body: { errorCode, details } }
}

type Body = Buffer | 'too large' | 'too slow'

async function readBody(request: IncomingMessage, requestMsMax: number): Promise<Body> {
  const parts: Buffer[] = []
  let bytes = 0
  const read = async (): Promise<Body> => {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes <= bodyBytesMax) parts.push(part)
    }
    return bytes > bodyBytesMax ? 'too large' : Buffer.concat(parts)
  }
  const timeout = AbortSignal.timeout(requestMsMax)
  const late = once(timeout, 'abort').then((): Body => 'too slow')
  return Promise.race([read(), late])
}

/** Checks and answers the calls of relying parties. */
export class Api {
  readonly calls: BankIdCall[] = []
  readonly withdrawn = new Set<string>()
  readonly relyingParties = new Map<string, Issued>()
  forced: ForcedAnswer[] = []
  readonly #orders: Orders
  readonly #options: Required<ApiOptions>
  /** The time of each order's last collect. */
  readonly #collected = new Map<string, number>()

  constructor(orders: Orders, options: ApiOptions) {
    const { now = Date.now, collectMsMin = 1000, onTooSoon = 'refuse', requestMsMax = 10_000 } = options
    this.#orders = orders
    this.#options = { now, collectMsMin, onTooSoon, requestMsMax }
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url
    const body = await readBody(request, this.#options.requestMsMax)
    const call: BankIdCall = {
      atMs: this.#options.now(),
      method,
      path,
      orderRef: undefined,
      body: undefined,
      status: 0,
      errorCode: undefined,
      isTooSoon: false,
    }
    this.calls.push(call)
    const forced = this.#nextForced(path)
    const isReplaced =
      forced !== undefined && (forced.status ?? forced.body ?? forced.errorCode) !== undefined
    const answer = isReplaced
      ? { status: forced.status ?? 200, body: forcedBody(forced) }
      : this.#answer(call, request, body)
    if (isReplaced) readInto(call, body)
    if (forced?.delayMs !== undefined) await sleep(forced.delayMs, undefined, { ref: false })
    if (forced?.hangUp === true) return void request.socket.destroy()
    call.status = answer.status
    call.errorCode = (answer.body as { errorCode?: string } | undefined)?.errorCode
    const sent = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(sent),
      ...(body === 'too slow' ? { connection: 'close' } : {}),
      ...forced?.headers,
    })
    response.end(sent)
  }

  #nextForced(path: string): ForcedAnswer | undefined {
    const forced = this.forced.find((each) => each.path === undefined || each.path === path)
    if (forced === undefined) return undefined
    forced.times = (forced.times ?? 1) - 1
    if (forced.times <= 0) this.forced = this.forced.filter((each) => each !== forced)
    return forced
  }

  #answer(call: BankIdCall, request: IncomingMessage, body: Body): Answer {
    if (!paths.has(call.path)) return refusal(404, 'notFound')
    if (call.method !== 'POST') return refusal(405, 'methodNotAllowed')
    const { fingerprint256 = '' } = (request.socket as TLSSocket).getPeerX509Certificate() ?? {}
    const relyingParty = this.relyingParties.get(fingerprint256)
    if (relyingParty === undefined || this.withdrawn.has(fingerprint256)) return refusal(401, 'unauthorized')
    if (request.headers['content-type']?.toLowerCase() !== 'application/json') {
      return refusal(415, 'unsupportedMediaType')
    }
    if (body === 'too slow') return refusal(408, 'requestTimeout')
    try {
      if (body === 'too large') throw new InvalidParameters('The request is too large')
      if (!readInto(call, body)) throw new InvalidParameters('The request is not JSON')
      return this.#perform(call, relyingParty)
    } catch (error) {
      if (error instanceof AlreadyInProgress) {
        return refusal(400, 'alreadyInProgress', 'Order already in progress for pno')
      }
      if (error instanceof InvalidParameters) return refusal(400, 'invalidParameters', error.message)
      throw error
    }
  }

  #perform(call: BankIdCall, relyingParty: Issued): Answer {
    if (call.path === '/auth' || call.path === '/sign') {
      const kind = call.path === '/auth' ? 'auth' : 'sign'
      const started = this.#orders.begin(kind, checkOrderRequest(kind, call.body), relyingParty)
      call.orderRef = started.orderRef
      return { status: 200, body: started }
    }
    call.orderRef = checkReference(call.body)
    if (call.path === '/cancel') {
      this.#orders.cancel(call.orderRef, relyingParty)
      return { status: 200, body: {} }
    }
    const { collectMsMin, onTooSoon } = this.#options
    const last = this.#collected.get(call.orderRef)
    this.#collected.set(call.orderRef, call.atMs)
    call.isTooSoon = last !== undefined && call.atMs - last < collectMsMin
    // BankID publishes no answer to this for orders; this is the one of its other interfaces.
    if (call.isTooSoon && onTooSoon === 'refuse') return refusal(429, 'tooManyRequests')
    return { status: 200, body: this.#orders.collect(call.orderRef, relyingParty) }
  }
}

/** Records the request with the call; false if it is not JSON. */
function readInto(call: BankIdCall, body: Body): boolean {
  if (typeof body === 'string') return false
  try {
    call.body = JSON.parse(body.toString())
  } catch {
    return false
  }
  const { orderRef } = (call.body ?? {}) as { orderRef?: unknown }
  if (typeof orderRef === 'string') call.orderRef = orderRef
  return true
}

function forcedBody({ body, errorCode, details = errorCode }: ForcedAnswer): unknown {
  return body ?? (errorCode === undefined ? '' : { errorCode, details })
}
