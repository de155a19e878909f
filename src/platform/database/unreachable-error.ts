import { DeadlineError } from './deadline-error.ts'

/** What failed and what to do about it, by the code of Node.js or by the SQLSTATE. */
const causes: readonly [RegExp, string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused. Check that PostgreSQL runs there, and the host and port'],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    'the name of the host was not found. Check the host, and the DNS of this machine',
  ],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'there was no answer in time. Check the host and port, and the firewalls between',
  ],
  [
    /^(?:ECONNRESET|EPIPE)$/,
    'the connection was cut. Check that this is the port of PostgreSQL, and what its log says',
  ],
  [
    /^(?:ENOENT|EACCES)$/,
    'its socket cannot be opened. Check that PostgreSQL runs on this machine, and the path',
  ],
  [
    /^28/,
    'the user or password was refused. Check both, with special characters percent-encoded, and pg_hba.conf',
  ],
  [/^3D000$/, 'it has no database of this name. Create it, or correct the name'],
  [/^53300$/, 'it has no connection left. Raise its max_connections, or lower NUMERA_DATABASE_CONNECTIONS'],
  [/^57P0[1-3]$/, 'it is starting or stopping. Try again in a moment'],
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH)/,
    'TLS failed: its certificate or protocol was not accepted. Check sslmode and sslrootcert, and the certificate',
  ],
]

/** What the driver throws without a code. */
const messages: readonly [RegExp, string][] = [
  [
    /does not support SSL/i,
    'TLS failed: the server does not offer it. Check sslmode, and ssl in postgresql.conf',
  ],
  [
    /SASL|SCRAM|password must be/i,
    'the user or password was refused. Check both, with special characters percent-encoded',
  ],
  [/timeout|timed out/i, 'there was no answer in time. Check the host and port, and the firewalls between'],
  [
    /^Connection terminated|Received unexpected/i,
    'the connection was cut. Check that this is the port of PostgreSQL, and what its log says',
  ],
]

function getCode(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? getCode(errors[0]) : ''
}

/**
 * Where a database is, without user, password and database name. A `@` after the host means an
 * unencoded `/`, `?` or `#` in the password, so that part of the password would be taken for the host.
 */
export function describePlace(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  if (url === null || /@/.test(url.pathname + url.search + url.hash)) return ''
  const host = url.host || url.searchParams.get('host') || ''
  return host === '' ? ' on this machine' : ` at ${host}`
}

/** Its message tells the operator what to do. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/**
 * An error that says where the operator's database is, what failed when connecting to it, and what to do. Any other error
 * stays as it is. The driver's own is left out: it may name the user.
 *
 * @param variable the one that names the database
 */
export function unreachableError(error: unknown, databaseUrl: string, variable = 'DATABASE_URL'): unknown {
  const code = getCode(error)
  const { message = '' } = error as Error
  const said =
    causes.find(([pattern]) => pattern.test(code))?.[1] ??
    (code === '' || error instanceof DeadlineError
      ? messages.find(([pattern]) => pattern.test(message))?.[1]
      : undefined)
  if (said === undefined) return error
  const shown = code === '' ? '' : ` (${code})`
  return new UnreachableError(
    `The database${describePlace(databaseUrl)}, which ${variable} names, cannot be used${shown}: ${said}.`,
  )
}
