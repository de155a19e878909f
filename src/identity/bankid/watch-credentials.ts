import type { Context } from '../../service/context.ts'
import type { BankIdSettings, SecretSettings } from '../../config/config.ts'
import { readCredentials, requireValidNow, stampOf, type BankIdCredentials } from './credentials.ts'

/** How often, before a call, the files are looked at for new ones. Milliseconds. */
export const filesLookedAtEveryMs = 60_000
/** How long before the certificate's end the log begins to warn of it. */
export const certificateWarnedDays = 30
/** How often it does. Milliseconds. */
export const certificateWarnedEveryMs = 24 * 60 * 60_000

const dayMs = 24 * 60 * 60_000
/** A process that nobody signs in at warns too. */
const idleLookEveryMs = 60 * 60_000

export interface WatchedCredentials extends Disposable {
  readonly current: BankIdCredentials
  /**
   * Takes up changed files. Never fails: what cannot be used is logged, and the old stays.
   *
   * @param now look although the files were looked at within the last minute; they are read only where they have changed
   */
  refresh(now?: boolean): void
}

/**
 * The files that connect this service with BankID, taken up anew when they are exchanged, so that a certificate is rotated
 * without a stop. Its end is a metric, and the log warns of it once a day. A start with one that has ended does not fail: people
 * cannot sign in, but all else goes on.
 *
 * @param onNew called with credentials that take the place of others
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function watchCredentials(
  settings: BankIdSettings,
  passphrase: SecretSettings['bankidPassphrase'],
  { clock, log, telemetry }: Pick<Context, 'clock' | 'log' | 'telemetry'>,
  onNew: (credentials: BankIdCredentials) => void,
): WatchedCredentials {
  let stamp = stampOf(settings)
  let current = readCredentials(settings, passphrase)
  let told: string | undefined
  let lookedAtMs = clock.now()
  let warnedAtMs = -Infinity

  const tellEnd = (): void => {
    telemetry.bankIdCertificateNotAfter.set(current.notAfterMs / 1_000)
    const leftMs = current.notAfterMs - clock.now()
    if (leftMs > certificateWarnedDays * dayMs) return
    if (Math.abs(clock.now() - warnedAtMs) < certificateWarnedEveryMs) return
    warnedAtMs = clock.now()
    const endsAt = new Date(current.notAfterMs).toISOString()
    const what = 'put a new one in its file (NUMERA_BANKID_CERTIFICATE_FILE)'
    if (leftMs > 0) {
      log.warn({ endsAt, days: Math.floor(leftMs / dayMs) }, `the certificate for BankID ends soon: ${what}`)
    } else log.error({ endsAt }, `the certificate for BankID has ended, nobody can use it: ${what}`)
  }

  const readAnew = (): void => {
    try {
      const found = readCredentials(settings, passphrase)
      requireValidNow(found, Date.now())
      current = found
      told = undefined
      onNew(current)
      log.info({ endsAt: new Date(current.notAfterMs).toISOString() }, 'the files for BankID were exchanged')
    } catch (error) {
      const why = (error as Error).message
      if (why !== told) log.error({ why }, 'the new files for BankID cannot be used: the old ones stay')
      told = why
    }
  }
  const refresh = (now = false): void => {
    const isTime = Math.abs(clock.now() - lookedAtMs) >= filesLookedAtEveryMs
    if (!now && !isTime) return
    if (isTime) lookedAtMs = clock.now()
    const found = stampOf(settings)
    // What could not be used is read again each minute, since its first day may have come; but to open a PKCS#12 file takes a
    // while, and whoever has no certificate for an order looks each time that somebody asks about it.
    if (found !== stamp || (isTime && told !== undefined)) readAnew()
    stamp = found
    tellEnd()
  }

  tellEnd()
  const timer = setInterval(() => refresh(), idleLookEveryMs).unref()
  return {
    get current() {
      return current
    },
    refresh,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
