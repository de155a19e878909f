/**
 * How long the database may delay a call [all.500]: each constant is a bound, and a call that waits longer is
 * answered with 503 and `Retry-After`. The server ends a statement first; if it does not even do that, the connection
 * does not answer (a failover, a dropped NAT entry, a frozen server) and this side gives it up.
 */

/** How long a caller waits for a connection, free or new, in milliseconds. Beyond it the caller gets 503. */
export const connectMsMax = 3_000

/**
 * How much longer than its own limit the server may take to report that it ended a statement, in milliseconds. Beyond
 * it the connection counts as broken: it is cut, and so are the idle ones of its pool.
 */
export const answerGraceMs = 1_000

/**
 * How long a statement of admission, or one that stores deliveries, may run. Then the server ends it: 503.
 * Milliseconds.
 */
export const acceptStatementTimeoutMs = 4_000

/**
 * How long an accepting statement waits for a row that another transaction has locked, or for a shard that moves to another
 * node, in milliseconds. Then its batch is halved, until the delivery that met the lock fails alone with 503.
 */
export const acceptLockTimeoutMs = 2_000

/** How long a statement of a read (samples, reports, traces) may run. Then the server ends it: 503. Milliseconds. */
export const readStatementTimeoutMs = 5_000

/** How long a statement of the pages and the OAuth endpoints may run. Then the server ends it: 503. Milliseconds. */
export const pageStatementTimeoutMs = 5_000

/** How long a page waits for a row that another transaction has locked. Then it gets 503. Milliseconds. */
export const pageLockTimeoutMs = 3_000

/** How long a transaction of a page may take, all tries together. Then its connection is cut: 503. Milliseconds. */
export const pageTransactionMsMax = 7_000

/**
 * How long a statement of an operator's command, of the expiry sweep, or of counting what companies hold may run. Then
 * the server ends it. Milliseconds.
 */
export const patientStatementTimeoutMs = 60_000

/** How long a transaction of an operator's command may take. Then its connection is cut. Milliseconds. */
export const patientTransactionMsMax = 300_000

/** How long a transaction may be idle. Then the server ends it, since it may hold locks. Milliseconds. */
export const idleInTransactionMsMax = 10_000

/** How long a connection is silent before the operating system probes it (TCP keep-alive). Milliseconds. */
export const keepAliveDelayMs = 10_000

/** How long a closing connection waits for the server to close its side. Then its socket is cut. Milliseconds. */
export const goodbyeMsMax = 1_000

/** How long the connections of a pool may take to end when the process stops, in milliseconds; then they are cut. */
export const poolEndMsMax = 2_000

/**
 * How long a statement of an operator's rebuild may run, such as the one that compares all samples of a source, in
 * milliseconds. Then the server ends it, and the command fails.
 */
export const wholeSourceTimeoutMs = 10 * 60_000

/**
 * How long a standby may take to give a connection, and then again to show that it has what the primary would answer
 * from, in milliseconds. Beyond it the primary answers, and the standby is left alone.
 */
export const standbyCheckMsMax = 500

/** How long a read may take on a standby after that. Then the primary answers. Milliseconds. */
export const standbyReadMsMax = 2_000

/** How long a standby is left alone after a fault, before it is checked again. Milliseconds. */
export const standbyRestMs = 5_000
