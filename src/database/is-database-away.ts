/** Errors of the socket under the connection. */
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

/** SQLSTATE: shutdown, crash recovery, starting up, idle timeout, no more connections. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300'])

// The driver raises these without a code.
const driverMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/

/**
 * Whether the database could not be reached or went away, as opposed to having refused what it was sent.
 * Nothing is known then about a commit that was under way.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseAway)
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return socketCodes.has(code) || serverCodes.has(code) || code.startsWith('08')
  return driverMessage.test(error.message)
}
