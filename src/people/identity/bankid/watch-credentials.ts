import type { DirectoryContext } from '../../../context.ts'
import type { BankIdSettings, SecretSettings } from '../../../platform/config/config.ts'
import { getStamp, readCredentials, requireValidNow, type BankIdCredentials } from './credentials.ts'

/** How often, before a call, the files are checked for changes. Milliseconds. */
const filesCheckedEveryMs = 60_000
/** How long before the certificate expires the log warns of it. */
const certificateWarnedDays = 30
/** How often it does. Milliseconds. */
const certificateWarnedEveryMs = 24 * 60 * 60_000

const dayMs = 24 * 60 * 60_000
/** A process without sign-ins warns too. */
const idleCheckEveryMs = 60 * 60_000

export interface WatchedCredentials extends Disposable {
  readonly current: BankIdCredentials
  /**
   * Reads changed files. Never fails: if they cannot be used that is logged, and the old ones remain.
   *
   * @param now check even if the files were checked within the last minute; they are read only if they have changed
   */
  refresh(now?: boolean): void
}

/**
 * The files for BankID, read again when they are replaced, so that a certificate is rotated without a restart. Its expiry is a
 * metric, and the log warns of it once a day. A start with an expired one does not fail: people cannot sign in, but
 * everything else works.
 *
 * @param onNew called with credentials that replace others
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function watchCredentials(
  settings: BankIdSettings,
  passphrase: SecretSettings['bankidPassphrase'],
  { clock, log, telemetry }: Pick<DirectoryContext, 'clock' | 'log' | 'telemetry'>,
  onNew: (credentials: BankIdCredentials) => void,
): WatchedCredentials {
  let stamp = getStamp(settings)
  let current = readCredentials(settings, passphrase)
  let loggedFault: string | undefined
  let checkedAtMs = clock.now()
  let warnedAtMs = -Infinity

  const warnOfExpiry = (): void => {
    telemetry.bankIdCertificateNotAfter.set(current.notAfterMs / 1_000)
    const leftMs = current.notAfterMs - clock.now()
    if (leftMs > certificateWarnedDays * dayMs) return
    if (Math.abs(clock.now() - warnedAtMs) < certificateWarnedEveryMs) return
    warnedAtMs = clock.now()
    const endsAt = new Date(current.notAfterMs).toISOString()
    const what = 'put a new one in its file (NUMERA_BANKID_CERTIFICATE_FILE)'
    if (leftMs > 0) {
      log.warn(
        { endsAt, days: Math.floor(leftMs / dayMs) },
        `the certificate for BankID expires soon: ${what}`,
      )
    } else log.error({ endsAt }, `the certificate for BankID has expired, and no one can use BankID: ${what}`)
  }

  const readFiles = (): void => {
    try {
      const found = readCredentials(settings, passphrase)
      requireValidNow(found, Date.now())
      current = found
      loggedFault = undefined
      onNew(current)
      log.info({ endsAt: new Date(current.notAfterMs).toISOString() }, 'the files for BankID were replaced')
    } catch (error) {
      const why = (error as Error).message
      if (why !== loggedFault)
        log.error({ why }, 'the new files for BankID cannot be used: the old ones remain')
      loggedFault = why
    }
  }
  const refresh = (now = false): void => {
    const isTime = Math.abs(clock.now() - checkedAtMs) >= filesCheckedEveryMs
    if (!now && !isTime) return
    if (isTime) checkedAtMs = clock.now()
    const found = getStamp(settings)
    // Files that could not be used are read again each minute, since they may be valid by now, but not more often: opening a
    // PKCS#12 file takes a while, and a process that lacks an order's certificate checks on every call.
    if (found !== stamp || (isTime && loggedFault !== undefined)) readFiles()
    stamp = found
    warnOfExpiry()
  }

  warnOfExpiry()
  const timer = setInterval(() => refresh(), idleCheckEveryMs).unref()
  return {
    get current() {
      return current
    },
    refresh,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
