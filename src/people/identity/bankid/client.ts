import { Pool } from 'undici'
import type { DirectoryContext } from '../../../context.ts'
import { monotonicClock } from '../../../platform/clock/clock.ts'
import type { BankIdSettings, SecretSettings } from '../../../platform/config/config.ts'
import { readBounded, TooLargeError } from '../../../platform/http/read-bounded.ts'
import type { BankIdCredentials } from './credentials.ts'
import { errorCodes, toFault, type Fault } from './faults.ts'
import { watchCredentials } from './watch-credentials.ts'

/** How long one call may take, including the whole answer. Milliseconds. */
export const callTimeoutMs = 10_000
/** The largest answer that is read: a signature over the longest text is a fraction of it. */
const answerBytesMax = 1_048_576
/** Connections to BankID of one process. Calls beyond wait their turn, within their time. */
export const bankIdConnectionsMax = 32
/** Those of them that begin and cancel orders, so that this works while BankID is slow to answer about others. */
export const bankIdBeginConnectionsMax = 8
/** How often one fault of BankID is logged. Milliseconds. */
const faultLoggedEveryMs = 60_000

type Operation = 'auth' | 'sign' | 'collect' | 'cancel'
/** `certificate` is the fingerprint of that which the call was made with. */
type CallResult<Answer> = { answer: Answer; certificate: string } | { fault: Fault }

export interface BankIdClient extends AsyncDisposable {
  /**
   * Calls BankID once. Never throws: any failure is a fault, counted and logged without the data of the call.
   *
   * @param read takes what is needed from the body; undefined if it is not there
   * @param certificate the one to call with, the newest by default; if this process does not have it, no call is made, and the
   *   fault is `no_certificate`
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

/** A known word, since BankID may send others: a fault of BankID's own is counted even without its word. */
function toOutcome({ status = 0, code }: Fault): string {
  if (counted.has(code)) return code
  return status >= 500 || status === 429 ? 'faulty' : 'other'
}

/** BankID's details of an error may be logged if they can contain no number, token or name of a person. */
const plainDetails = /^[A-Za-z ,.'()-]{1,100}$/

const malformed: Fault = { status: 200, code: 'malformed' }
/** Transient: a process that has it may call. */
const noCertificate: Fault = { status: undefined, code: 'no_certificate' }

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
  getPool: (operation: Operation) => Pool
  /** Lets calls in progress finish. */
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
        // A resumed session would not be checked.
        maxCachedSessions: 0,
        timeout: callTimeoutMs,
      },
    })
  // Anyone may begin orders, and each is collected repeatedly: that would leave no connections to begin others.
  const collecting = open(bankIdConnectionsMax - bankIdBeginConnectionsMax)
  const beginning = open(bankIdBeginConnectionsMax)
  const both = [collecting, beginning]
  return {
    certificate: fingerprint,
    getPool: (operation) => (operation === 'collect' ? collecting : beginning),
    close: () => {
      for (const pool of both) void pool.close()
    },
    destroy: () => Promise.all(both.map((pool) => pool.destroy())),
  }
}

async function callOnce(
  pool: Pool,
  path: string,
  request: object,
  timeoutMs: number,
): Promise<{ body: unknown } | { fault: Fault; why: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      signal,
    })
    const body = parse((await readBounded(answer.body, answerBytesMax)).toString('utf8'))
    if (answer.statusCode === 200) return { body }
    const details = (body as { details?: unknown } | null | undefined)?.details
    const why = typeof details === 'string' && plainDetails.test(details) ? details : undefined
    return { fault: toFault(answer.statusCode, body), why }
  } catch (error) {
    const fault = error instanceof TooLargeError ? 'malformed' : 'unreachable'
    const code = signal.aborted ? 'late' : fault
    return { fault: { status: undefined, code }, why: (error as { code?: unknown }).code }
  }
}

/** Counts every fault, and logs each kind at most once a minute. */
function createFaultReport({ log, telemetry }: Pick<DirectoryContext, 'log' | 'telemetry'>) {
  const loggedMs = new Map<string, number>()
  return (operation: Operation, fault: Fault, why: unknown): void => {
    const { status, code } = fault
    const outcome = toOutcome(fault)
    telemetry.bankIdCalls.inc({ operation, outcome })
    const key = `${operation} ${outcome}`
    if (monotonicClock.now() - (loggedMs.get(key) ?? -Infinity) < faultLoggedEveryMs) return
    loggedMs.set(key, monotonicClock.now())
    log.warn({ operation, status, code, why }, 'a call to BankID failed')
  }
}

/**
 * BankID's relying-party API 6.0 over mutual TLS. Only the configured issuer makes the server trusted.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function openClient(
  settings: BankIdSettings,
  passphrase: SecretSettings['bankidPassphrase'],
  context: Pick<DirectoryContext, 'clock' | 'log' | 'telemetry'>,
  timeoutMs: number = callTimeoutMs,
): BankIdClient {
  const { telemetry } = context
  const path = new URL(settings.url).pathname.replace(/\/$/, '')
  const credentials = watchCredentials(settings, passphrase, context, (renewed) => {
    connected.unshift(connect(settings, renewed))
    // The previous one continues its orders; older ones finish the calls in progress.
    for (const { close } of connected.splice(2)) close()
  })
  const connected = [connect(settings, credentials.current)]
  const findConnected = (certificate: string | undefined): Connected | undefined => {
    if (certificate === undefined) return connected[0]
    const find = () => connected.find((each) => each.certificate === certificate)
    if (find() !== undefined) return find()
    // Another process may have a new certificate already.
    credentials.refresh(true)
    return find()
  }
  const reportFault = createFaultReport(context)

  return {
    call: async (operation, request, read, wanted) => {
      credentials.refresh()
      const connection = findConnected(wanted)
      if (connection === undefined) {
        reportFault(operation, noCertificate, wanted)
        return { fault: noCertificate }
      }
      const { certificate, getPool } = connection
      const called = await callOnce(getPool(operation), `${path}/${operation}`, request, timeoutMs)
      const answer = 'body' in called ? read(called.body) : undefined
      if (answer !== undefined) {
        telemetry.bankIdCalls.inc({ operation, outcome: 'ok' })
        return { answer, certificate }
      }
      const { fault, why } = 'body' in called ? { fault: malformed, why: undefined } : called
      reportFault(operation, fault, why)
      return { fault }
    },
    get roots() {
      return credentials.current.roots
    },
    [Symbol.asyncDispose]: async () => {
      credentials[Symbol.dispose]()
      await Promise.all(connected.map(({ destroy }) => destroy()))
    },
  }
}
