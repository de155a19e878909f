import { Pool } from 'undici'
import type { Context } from '../../service/context.ts'
import type { BankIdSettings, SecretSettings } from '../../config/config.ts'
import { monotonicClock } from '../../clock/clock.ts'
import type { BankIdCredentials } from './credentials.ts'
import { errorCodes, faultOf, type Fault } from './faults.ts'
import { watchCredentials } from './watch-credentials.ts'

/** How long one call may take, from its begin to the end of the answer. Milliseconds. */
export const callTimeoutMs = 10_000
/** The largest answer that is read: a signature over the longest text is a fraction of it. */
export const answerBytesMax = 1_048_576
/** Connections to BankID of one process. Calls beyond wait their turn, within their time. */
export const bankIdConnectionsMax = 32
/** How often one fault of BankID is logged. Milliseconds. */
const faultLoggedEveryMs = 60_000

export type Operation = 'auth' | 'sign' | 'collect' | 'cancel'
/** `certificate` is the fingerprint of that which the call was made with. */
export type CallResult<Answer> = { answer: Answer; certificate: string } | { fault: Fault }

export interface BankIdClient extends AsyncDisposable {
  /**
   * Calls BankID once. Never throws: whatever goes wrong is a fault, counted and logged without the data of the call.
   *
   * @param read takes what is needed from the body; undefined where it is not there
   * @param certificate the one to call with, where it is there; the newest unless given
   */
  call<Answer>(
    operation: Operation,
    request: object,
    read: (body: unknown) => Answer | undefined,
    certificate?: string,
  ): Promise<CallResult<Answer>>
  /** Roots of people's signatures. */
  readonly roots: BankIdCredentials['roots']
}

const counted: ReadonlySet<string> = new Set([...errorCodes, 'unreachable', 'late', 'malformed'])
/** What BankID says of an error may be logged where it can hold no number, token or name of a person's. */
const plainDetails = /^[A-Za-z ,.'()-]{1,100}$/

const malformed: Fault = { status: 200, code: 'malformed' }

type Heard = { body: unknown } | { fault: Fault; why: unknown }

class TooLarge extends Error {}

async function readBody(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > answerBytesMax) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function connect({ url }: BankIdSettings, { secureContext, checkServer }: BankIdCredentials): Pool {
  return new Pool(new URL(url).origin, {
    connections: bankIdConnectionsMax,
    allowH2: false,
    connect: {
      secureContext,
      checkServerIdentity: checkServer,
      // A session that is taken up again would not be checked.
      maxCachedSessions: 0,
      timeout: callTimeoutMs,
    },
  })
}

/** Where a call went wrong before there was a whole answer. */
function faultOfThrown(thrown: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) return { status: undefined, code: 'late' }
  return { status: undefined, code: thrown instanceof TooLarge ? 'malformed' : 'unreachable' }
}

async function callOnce(pool: Pool, path: string, request: object, timeoutMs: number): Promise<Heard> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      signal,
    })
    const body = parse(await readBody(answer.body))
    if (answer.statusCode === 200) return { body }
    const details = (body as { details?: unknown } | null | undefined)?.details
    const why = typeof details === 'string' && plainDetails.test(details) ? details : undefined
    return { fault: faultOf(answer.statusCode, body), why }
  } catch (error) {
    return { fault: faultOfThrown(error, signal), why: (error as { code?: unknown }).code }
  }
}

/** Counts every fault, and logs each kind at most once a minute. */
function tellFaults({ log, telemetry }: Pick<Context, 'log' | 'telemetry'>) {
  const loggedMs = new Map<string, number>()
  return (operation: Operation, { status, code }: Fault, why: unknown): void => {
    const outcome = counted.has(code) ? code : 'other'
    telemetry.bankIdCalls.inc({ operation, outcome })
    const key = `${operation} ${outcome}`
    if (monotonicClock.now() - (loggedMs.get(key) ?? -Infinity) < faultLoggedEveryMs) return
    loggedMs.set(key, monotonicClock.now())
    log.warn({ operation, status, code, why }, 'a call to BankID failed')
  }
}

/**
 * BankID's relying-party API 6.0 over mutual TLS. The server is believed by the configured issuer alone.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function openClient(
  settings: BankIdSettings,
  passphrase: SecretSettings['bankidPassphrase'],
  context: Pick<Context, 'clock' | 'log' | 'telemetry'>,
  timeoutMs: number = callTimeoutMs,
): BankIdClient {
  const { telemetry } = context
  const path = new URL(settings.url).pathname.replace(/\/$/, '')
  const kept = watchCredentials(settings, passphrase, context, (credentials) => {
    connected.unshift({ certificate: credentials.fingerprint, pool: connect(settings, credentials) })
    // The one before goes on with what it began; calls under way over an older one come to their end.
    for (const { pool } of connected.splice(2)) void pool.close()
  })
  const connected = [{ certificate: kept.current.fingerprint, pool: connect(settings, kept.current) }]
  const connectedBy = (certificate: string | undefined): (typeof connected)[number] => {
    const find = () => connected.find((each) => each.certificate === certificate)
    if (certificate === undefined || find() !== undefined) return find() ?? connected[0]!
    // Another process has a new certificate already.
    kept.refresh(true)
    return find() ?? connected[0]!
  }
  const tell = tellFaults(context)

  return {
    call: async (operation, request, read, wanted) => {
      kept.refresh()
      const { certificate, pool } = connectedBy(wanted)
      const heard = await callOnce(pool, `${path}/${operation}`, request, timeoutMs)
      const answer = 'body' in heard ? read(heard.body) : undefined
      if (answer !== undefined) {
        telemetry.bankIdCalls.inc({ operation, outcome: 'ok' })
        return { answer, certificate }
      }
      const { fault, why } = 'body' in heard ? { fault: malformed, why: undefined } : heard
      tell(operation, fault, why)
      return { fault }
    },
    get roots() {
      return kept.current.roots
    },
    [Symbol.asyncDispose]: async () => {
      kept[Symbol.dispose]()
      await Promise.all(connected.map(({ pool }) => pool.destroy()))
    },
  }
}
