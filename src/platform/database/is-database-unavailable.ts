import { DeadlineError } from './deadline-error.ts'

/** Errors of the connection's socket. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The folder or file of a Unix socket is not there (yet).
  'ENOENT',
])

/**
 * SQLSTATE: shutdown, crash recovery, starting up, ended for being idle (outside and inside a transaction, or a
 * transaction past its limit), and faults of the system under the server. All of class 08 (connections) and class 53
 * (disk, memory or connections used up) count too.
 */
const serverCodes = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '58000', '58030'])
const serverClasses = /^(08|53)/

/**
 * SQLSTATE: a statement that was ended, by its time limit or an operator; one that did not get a lock in time; one that
 * lost against other transactions too often.
 */
const cutShortCodes = new Set(['57014', '55P03', '40001', '40P01'])

// The driver throws these without a code.
const driverMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/

function getCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Whether the database could not be reached, disconnected or is out of resources, as opposed to refusing a statement.
 * Whether a commit under way succeeded is then unknown.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isDatabaseUnavailable)
  if (error instanceof DeadlineError) return true
  if (!(error instanceof Error)) return false
  const code = getCode(error)
  if (code !== undefined) return socketCodes.has(code) || serverCodes.has(code) || serverClasses.test(code)
  return driverMessage.test(error.message)
}

/** Whether the database ended a statement because of its time or another transaction: it may well succeed later. */
export function isCutShort(error: unknown): boolean {
  return cutShortCodes.has(getCode(error) ?? '')
}
