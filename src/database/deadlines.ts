/**
 * How long a call may be held up by the database (reading `all.500`): each constant is a bound, and what waits longer is
 * answered with 503 and `Retry-After`. The server ends a statement first; where it does not even do that, the connection
 * is deaf (a failover, a dropped NAT entry, a frozen server) and this side gives it up.
 */

/** How long a caller waits for a connection, a free one or a new one, in milliseconds. Beyond it the caller gets 503. */
export const connectMsMax = 3_000

/**
 * How much longer than its own limit the server may take to say that it ended a statement, in milliseconds. Beyond it the
 * connection is taken for deaf: it is closed without a goodbye, and so are the idle ones beside it.
 */
export const answerGraceMs = 1_000

/** The server ends a statement of admission, or one that stores deliveries, after so many milliseconds: 503. */
export const acceptStatementTimeoutMs = 4_000

/**
 * An accepting statement waits so many milliseconds for a row that somebody else has locked. Beyond it its batch is
 * halved, until the delivery that met the lock fails alone with 503.
 */
export const acceptLockTimeoutMs = 1_000

/** The server ends a statement of a read (samples, reports, traces) after so many milliseconds: 503. */
export const readStatementTimeoutMs = 5_000

/** The server ends a statement of the pages and the OAuth endpoints after so many milliseconds: 503. */
export const pageStatementTimeoutMs = 5_000

/** A page waits so many milliseconds for a row that somebody else has locked; beyond it the page gets 503. */
export const pageLockTimeoutMs = 3_000

/** A transaction of a page takes at most so many milliseconds, tries included; beyond it it is cut and gets 503. */
export const pageTransactionMsMax = 7_000

/** The server ends a statement of an operator's command or of the sweeps after so many milliseconds. */
export const patientStatementTimeoutMs = 60_000

/** A transaction of an operator's command takes at most so many milliseconds. */
export const patientTransactionMsMax = 300_000

/** The server ends a transaction in which nothing was sent for so many milliseconds, since it may hold locks. */
export const idleInTransactionMsMax = 10_000

/** An idle connection is probed by the operating system after so many milliseconds (TCP keep-alive). */
export const keepAliveDelayMs = 10_000

/** How long a connection that is closed waits for the server's side of it, in milliseconds. */
export const goodbyeMsMax = 1_000

/** How long the connections of a pool may take to end when the process stops, in milliseconds; then they are cut. */
export const poolEndMsMax = 2_000
