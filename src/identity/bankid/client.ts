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
/**
 * Those of them that ask about no order: on these, orders are begun and given up while BankID is slow with the others. Calls
 * beyond wait their turn, within their time.
 */
export const bankIdBeginConnectionsMax = 8
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
   * @param certificate the one to call with: where it is not here, no call is made, and the fault is `no_certificate`; the newest
   *   unless given
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

const counted: ReadonlySet<string> = new Set([
  ...errorCodes,
  'unreachable',
  'late',
  'malformed',
  'no_certificate',
])

/** A word that is known, since BankID may say others. Trouble of BankID's own has one without its word, too. */
function outcomeOf({ status = 0, code }: Fault): string {
  if (counted.has(code)) return code
  return status >= 500 || status === 429 ? 'faulty' : 'other'
}

/** What BankID says of an error may be logged where it can hold no number, token or name of a person's. */
const plainDetails = /^[A-Za-z ,.'()-]{1,100}$/

const malformed: Fault = { status: 200, code: 'malformed' }
/** Passing: a process that has it may ask. */
const noCertificate: Fault = { status: undefined, code: 'no_certificate' }

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

/** The connections under one certificate. */
interface Connected {
  certificate: string
  poolOf: (operation: Operation) => Pool
  /** Lets what is under way come to its end. */
  close: () => void
  destroy: () => Promise<unknown>
}

function connect({ url }: BankIdSettings, credentials: BankIdCredentials): Connected {
  const { secureContext, checkServer, fingerprint } = credentials
  const open = (connections: number): Pool =>
    new Pool(new URL(url).origin, {
      connections,
      allowH2: false,
      connect: {
        secureContext,
        checkServerIdentity: checkServer,
        // A session that is taken up again would not be checked.
        maxCachedSessions: 0,
        timeout: callTimeoutMs,
      },
    })
  // Anybody may begin orders, and each is asked about again and again: that would leave no room to begin others.
  const asking = open(bankIdConnectionsMax - bankIdBeginConnectionsMax)
  const beginning = open(bankIdBeginConnectionsMax)
  const both = [asking, beginning]
  return {
    certificate: fingerprint,
    poolOf: (operation) => (operation === 'collect' ? asking : beginning),
    close: () => {
      for (const pool of both) void pool.close()
    },
    destroy: () => Promise.all(both.map((pool) => pool.destroy())),
  }
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
  return (operation: Operation, fault: Fault, why: unknown): void => {
    const { status, code } = fault
    const outcome = outcomeOf(fault)
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
    connected.unshift(connect(settings, credentials))
    // The one before goes on with what it began; calls under way over an older one come to their end.
    for (const { close } of connected.splice(2)) close()
  })
  const connected = [connect(settings, kept.current)]
  const connectedBy = (certificate: string | undefined): Connected | undefined => {
    if (certificate === undefined) return connected[0]
    const find = () => connected.find((each) => each.certificate === certificate)
    if (find() !== undefined) return find()
    // Another process has a new certificate already.
    kept.refresh(true)
    return find()
  }
  const tell = tellFaults(context)

  return {
    call: async (operation, request, read, wanted) => {
      kept.refresh()
      const by = connectedBy(wanted)
      if (by === undefined) {
        tell(operation, noCertificate, wanted)
        return { fault: noCertificate }
      }
      const { certificate, poolOf } = by
      const heard = await callOnce(poolOf(operation), `${path}/${operation}`, request, timeoutMs)
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
      await Promise.all(connected.map(({ destroy }) => destroy()))
    },
  }
}
