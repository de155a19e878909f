import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { Authority, type RelyingPartyOptions } from './authority.ts'
import { type Issued, toPem } from './certificate.ts'
import { checkOrderRequest, checkReference, InvalidParameters } from './check-request.ts'
import { AlreadyInProgress, type Lifetimes, Orders, usualLifetimes } from './orders.ts'
import { makePkcs12 } from './pkcs12.ts'

/**
 * A stand-in for BankID's relying-party API 6.0: it holds relying parties to the API's public rules, and completes orders with
 * signatures and OCSP answers of an authority of its own. What happens on a person's phone, a test or a page does by
 * `phone`.
 */

export interface BankIdStandInOptions {
  /** Any free one unless said. */
  port?: number
  /** Milliseconds since 1970. */
  now?: () => number
  lifetimes?: Partial<Lifetimes>
  /** Collecting an order again sooner than this is too soon: a second unless said. */
  collectMsMin?: number
  /** What comes of that: it is refused unless said. `calls` says it either way. */
  onTooSoon?: 'refuse' | 'allow'
  /** How long a request may take to arrive. */
  requestMsMax?: number
  /** How old a QR code may be when the phone reads it. */
  qrAgeSecondsMax?: number
  /** The name that the app shows, from the relying party's certificate. */
  relyingPartyName?: string
}

/** One call that reached the stand-in. */
export interface BankIdCall {
  /** When it had arrived, in milliseconds since 1970, by the stand-in's clock. */
  atMs: number
  method: string
  /** Behind `/rp/v6.0`, such as `/collect`. */
  path: string
  /** Of `collect` and `cancel`, and of what `auth` and `sign` answered. */
  orderRef: string | undefined
  body: unknown
  status: number
  errorCode: string | undefined
  /** An order was collected again sooner than it may be. */
  isTooSoon: boolean
}

/** What the stand-in answers in place of what it would. */
export interface ForcedAnswer {
  /** The calls that it is for, such as `/collect`; all unless said. */
  path?: string
  status?: number
  errorCode?: string
  details?: string
  /** In place of an error: as it is where it is a text, else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** Before it answers: with this answer, or with what it would have said where the rest is missing. */
  delayMs?: number
  /** Closes the connection without an answer. */
  hangUp?: boolean
  /** How many calls it is for: one unless said. */
  times?: number
}

/** What a relying party connects with. */
export interface RelyingParty {
  issued: Issued
  /** The certificate, and who issued it. */
  certificatePem: string
  keyPem: string
  pkcs12: Buffer
  passphrase: string
}

export interface BankIdStandIn extends AsyncDisposable {
  /** `https://127.0.0.1:…/rp/v6.0` */
  readonly url: string
  readonly authority: Authority
  /** What the service is configured with. */
  readonly relyingParty: RelyingParty
  /** Who issued the server's certificate. */
  readonly issuerPem: string
  /** The root of signatures and OCSP answers. */
  readonly rootsPem: string
  /** The same as files, gone once disposed of. */
  readonly files: { pkcs12: string; certificate: string; key: string; issuer: string; roots: string }
  /** The variables that configure a service with it. */
  readonly environment: Record<string, string>
  readonly calls: readonly BankIdCall[]
  readonly phone: Pick<Orders, 'scan' | 'open'>
  readonly orders: Pick<Orders, 'all' | 'find' | 'qrText' | 'autoStartToken'>
  /** Another relying party; a stranger's certificate ends the connection. */
  makeRelyingParty(options?: RelyingPartyOptions): Promise<RelyingParty>
  /** Takes a relying party's access away: 401 from now on. */
  withdrawAccess(relyingParty: RelyingParty): void
  /** The next calls are answered in this way; several wait for their turn. */
  answerNextWith(answer: ForcedAnswer): void
  /** Forgets what `answerNextWith` has left. */
  answerAsUsual(): void
}

const prefix = '/rp/v6.0'
const passphrase = 'qwerty123'
/** The largest request that could make sense, several times over. A larger one is 400. */
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

/** What a request brings, within the time that it has. */
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

/** The rules of one call. */
class Api {
  readonly calls: BankIdCall[] = []
  readonly withdrawn = new Set<string>()
  readonly relyingParties = new Map<string, Issued>()
  forced: ForcedAnswer[] = []
  readonly #orders: Orders
  readonly #options: Required<
    Pick<BankIdStandInOptions, 'now' | 'collectMsMin' | 'onTooSoon' | 'requestMsMax'>
  >
  /** When an order was collected last. */
  readonly #collected = new Map<string, number>()

  constructor(orders: Orders, options: BankIdStandInOptions) {
    const { now = Date.now, collectMsMin = 1000, onTooSoon = 'refuse', requestMsMax = 10_000 } = options
    this.#orders = orders
    this.#options = { now, collectMsMin, onTooSoon, requestMsMax }
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
      if (!readInto(call, body)) throw new InvalidParameters('The request is no JSON')
      return this.#do(call, relyingParty)
    } catch (error) {
      if (error instanceof AlreadyInProgress) {
        return refusal(400, 'alreadyInProgress', 'Order already in progress for pno')
      }
      if (error instanceof InvalidParameters) return refusal(400, 'invalidParameters', error.message)
      throw error
    }
  }

  #do(call: BankIdCall, relyingParty: Issued): Answer {
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
    // BankID publishes no answer to this for orders; this one is what its other interfaces say.
    if (call.isTooSoon && onTooSoon === 'refuse') return refusal(429, 'tooManyRequests')
    return { status: 200, body: this.#orders.collect(call.orderRef, relyingParty) }
  }
}

/** Keeps what was asked with the call; false where it is no JSON. */
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

async function listen(api: Api, authority: Authority, port: number): Promise<Server> {
  const [server, issuer] = await Promise.all([authority.server(), authority.relyingPartyIssuer()])
  const listening = createServer(
    {
      key: server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: toPem(server),
      ca: toPem(issuer),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      // The stand-in has a bound of its own, and answers it.
      requestTimeout: 0,
    },
    (request, response) => {
      api.take(request, response).catch(() => request.socket.destroy())
    },
  )
  // Of a handshake that the stand-in refused, or a peer that went away.
  listening.on('tlsClientError', () => undefined)
  listening.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return listening
}

async function writeFiles(folder: string, contents: Record<string, string | Buffer>): Promise<void> {
  await Promise.all(
    Object.entries(contents).map(([name, content]) =>
      writeFile(join(folder, name), content, { mode: 0o600 }),
    ),
  )
}

/** Starts the stand-in on loopback, with certificates of its own. */
export async function startBankIdStandIn(options: BankIdStandInOptions = {}): Promise<BankIdStandIn> {
  const { now = Date.now, lifetimes, qrAgeSecondsMax = 5, port = 0, relyingPartyName = 'Numera' } = options
  const authority = new Authority(now)
  const orders = new Orders({
    authority,
    now,
    lifetimes: { ...usualLifetimes, ...lifetimes },
    qrAgeSecondsMax,
  })
  const api = new Api(orders, options)
  const makeRelyingParty = async (of: RelyingPartyOptions = {}): Promise<RelyingParty> => {
    const issued = await authority.relyingParty(of)
    const issuer = await authority.relyingPartyIssuer(of.isStranger)
    api.relyingParties.set(issued.certificate.fingerprint256, issued)
    return {
      issued,
      certificatePem: toPem(issued, issuer),
      keyPem: issued.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      pkcs12: makePkcs12(issued, [issuer], passphrase),
      passphrase,
    }
  }
  const [relyingParty, issuer, root, server, folder] = await Promise.all([
    makeRelyingParty({ name: relyingPartyName }),
    authority.connectionRoot(),
    authority.signingRoot(),
    listen(api, authority, port),
    mkdtemp(join(tmpdir(), 'bankid-stand-in-')),
  ])
  // RSA keys take their time: only who signs at once waits for these.
  authority.prepare().catch(() => undefined)
  const [issuerPem, rootsPem] = [toPem(issuer), toPem(root)]
  await writeFiles(folder, {
    'relying-party.p12': relyingParty.pkcs12,
    'relying-party.pem': relyingParty.certificatePem,
    'relying-party.key': relyingParty.keyPem,
    'issuer.pem': issuerPem,
    'roots.pem': rootsPem,
  })
  const files = {
    pkcs12: join(folder, 'relying-party.p12'),
    certificate: join(folder, 'relying-party.pem'),
    key: join(folder, 'relying-party.key'),
    issuer: join(folder, 'issuer.pem'),
    roots: join(folder, 'roots.pem'),
  }
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
  return {
    url,
    authority,
    relyingParty,
    issuerPem,
    rootsPem,
    files,
    environment: {
      NUMERA_BANKID_URL: url,
      NUMERA_BANKID_CERTIFICATE_FILE: files.pkcs12,
      NUMERA_BANKID_PASSPHRASE: passphrase,
      NUMERA_BANKID_ISSUER_FILE: files.issuer,
      NUMERA_BANKID_ROOTS_FILE: files.roots,
    },
    calls: api.calls,
    phone: orders,
    orders,
    makeRelyingParty,
    withdrawAccess: ({ issued }) => void api.withdrawn.add(issued.certificate.fingerprint256),
    answerNextWith: (answer) => void api.forced.push({ ...answer }),
    answerAsUsual: () => void (api.forced = []),
    [Symbol.asyncDispose]: async () => {
      server.close()
      // Those that have not shaken hands are among them.
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
