import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import type { OidcSettings, SecretSettings } from '../../config/config.ts'
import { inTransaction } from '../../database/transaction.ts'
import { invalidArgument } from '../../http/errors.ts'
import { seal, unseal } from '../../keys/seal.ts'
import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { endNamedSessions } from '../../sessions/end-named-sessions.ts'
import type { OrderOrigin, OrderProgress, SignInProvider, StartedOrder } from '../identity-provider.ts'
import { checkLogoutToken, logoutTokenSecondsMax, type CheckedLogout } from './check-logout-token.ts'
import { failureOf, type Failure } from './failure.ts'
import { createProviderFinder, providerClockSecondsMax, type FoundProvider } from './find-provider.ts'
import { identifyPerson, type Expected, type Identified } from './identify-person.ts'
import {
  completeOpenIdConnectOrder,
  failOpenIdConnectOrder,
  insertOpenIdConnectOrder,
  insertUsedLogoutToken,
  selectAnsweredOrder,
  selectOpenIdConnectOrder,
  takeOpenIdConnectAnswer,
} from './queries.ts'
import { openIdConnectOrderPlace } from './sealed-orders.ts'

/** How long a person has to come back from the OpenID Connect provider. Then the sign-in has failed. */
export const openIdConnectOrderMs = 10 * 60_000

/** Where the provider sends the person's browser with its answer: what is registered there as `redirect_uri`. */
export const callbackPath = '/sign-in/callback'

/** Where the provider sends logout tokens: what is registered there as `backchannel_logout_uri`. */
export const backChannelLogoutPath = '/sign-in/back-channel-logout'

export type OpenIdConnectContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'>

export interface OpenIdConnectProvider extends SignInProvider, AsyncDisposable {
  readonly name: 'oidc'
  /**
   * Takes the provider's answer to an order: once, from the browser that began. What became of it is then there to collect.
   *
   * @param target path and query of the callback as it was called
   * @param browserToken from the cookie of the browser that calls
   * @returns where the browser goes on: an address of this service
   */
  answer(target: string, browserToken: string | undefined): Promise<string>
  /**
   * Ends the sessions that a logout token names.
   *
   * @throws 400 `invalid_argument` where the token does not hold, or was used before
   */
  endSessions(logoutToken: string): Promise<void>
}

/** What an order keeps while it waits for its answer. */
type Waiting = Pick<Expected, 'codeVerifier' | 'nonce'> & { authorizationUrl: string }

/** RFC 6749, 4.1.2: the answer's `state`, as `startSignIn` makes them. */
function referenceIn(target: URL): string | undefined {
  const [reference, ...others] = target.searchParams.getAll('state')
  return reference !== undefined && others.length === 0 && /^[\w-]{43}$/.test(reference)
    ? reference
    : undefined
}

function isSameBrowser(browserToken: string | undefined, browserHash: Buffer | null): boolean {
  return (
    browserToken !== undefined &&
    browserHash !== null &&
    timingSafeEqual(hashSecret(browserToken), browserHash)
  )
}

class OpenIdConnect implements OpenIdConnectProvider {
  readonly name = 'oidc'
  readonly #settings: OidcSettings
  readonly #context: OpenIdConnectContext
  readonly #findProvider: () => Promise<FoundProvider>

  constructor(settings: OidcSettings, clientSecret: string, context: OpenIdConnectContext) {
    this.#settings = settings
    this.#context = context
    this.#findProvider = createProviderFinder(settings, clientSecret, context)
  }

  async startSignIn(origin: OrderOrigin): Promise<StartedOrder> {
    const { pool, clock } = this.#context
    const reference = randomBytes(32).toString('base64url')
    let waiting: Waiting | undefined
    let failure: Failure | undefined
    try {
      waiting = await this.#request(reference, origin)
    } catch (error) {
      failure = this.#report(failureOf(error))
    }
    const now = clock.now()
    await insertOpenIdConnectOrder.run(pool, {
      reference,
      state: waiting === undefined ? 'failed' : 'pending',
      returnUrl: origin.returnUrl,
      sealed: waiting === undefined ? null : this.#seal(reference, waiting),
      reason: failure?.reason ?? null,
      createdAt: new Date(now),
      expiresAt: new Date(now + openIdConnectOrderMs),
    })
    return {
      reference,
      presentation: waiting === undefined ? {} : { openUrl: waiting.authorizationUrl },
      answerWithinMs: openIdConnectOrderMs,
    }
  }

  async collect(reference: string): Promise<OrderProgress> {
    const { pool, clock } = this.#context
    const row = await selectOpenIdConnectOrder.first(pool, { reference })
    if (row === undefined) return { state: 'failed', reason: 'expired' }
    if (row.state === 'failed') return { state: 'failed', reason: row.reason! }
    if (row.state === 'complete') {
      const identified = this.#unseal<Identified>(reference, row.sealed!)
      return { state: 'complete', ...identified }
    }
    if (row.expires_at.getTime() <= clock.now()) return { state: 'failed', reason: 'expired' }
    const { authorizationUrl } = this.#unseal<Waiting>(reference, row.sealed!)
    const presentation = row.state === 'pending' ? { openUrl: authorizationUrl } : {}
    return { state: 'pending', hint: 'outstanding', presentation }
  }

  async cancel(reference: string): Promise<void> {
    await this.#fail(reference, 'refused')
  }

  async answer(target: string, browserToken: string | undefined): Promise<string> {
    const { pool, clock, config } = this.#context
    const elsewhere = `${config.baseUrl}/sign-in`
    // Its query alone is the answer: a request may write the address in several ways, and with another host.
    const url = new URL(`${config.baseUrl}${callbackPath}`)
    url.search = /\?.*/s.exec(target)?.[0] ?? ''
    const reference = referenceIn(url)
    const order = reference && (await selectAnsweredOrder.first(pool, { reference }))
    if (!reference || !order) return elsewhere
    if (!isSameBrowser(browserToken, order.browser_hash)) {
      // Whoever answers has not begun: they would be signed in where somebody else waits.
      this.#report({ reason: 'not_verified', why: 'browser' })
      await this.#fail(reference, 'not_verified')
      return elsewhere
    }
    const taken = await takeOpenIdConnectAnswer.first(pool, { reference, at: new Date(clock.now()) })
    if (taken !== undefined) await this.#check(reference, url, taken)
    return order.return_url
  }

  async endSessions(logoutToken: string): Promise<void> {
    const { pool, clock, telemetry } = this.#context
    const at = clock.now()
    let checked: CheckedLogout
    try {
      const provider = await this.#findProvider()
      checked = await checkLogoutToken(provider, this.#settings.clientId, logoutToken, new Date(at))
    } catch (error) {
      throw this.#refuseLogout(failureOf(error).why)
    }
    const { names, jti } = checked
    const tokenHash = hash('sha256', JSON.stringify([names.issuer, jti]), 'buffer')
    const expiresAt = new Date(at + (logoutTokenSecondsMax + 2 * providerClockSecondsMax) * 1_000)
    const ended = await inTransaction(pool, async (client) => {
      if ((await insertUsedLogoutToken.first(client, { tokenHash, expiresAt })) === undefined)
        return undefined
      return endNamedSessions(this.#context, client, names)
    })
    if (ended === undefined) throw this.#refuseLogout('jti')
    telemetry.backChannelLogouts.inc({ outcome: ended === 0 ? 'no_session' : 'ended' })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The address that the person's browser goes to (OpenID Connect Core 1.0, 3.1.2.1), and what its answer must fit. */
  async #request(reference: string, { language }: OrderOrigin): Promise<Waiting> {
    const { scopes, acrValues } = this.#settings
    const provider = await this.#findProvider()
    const codeVerifier = randomPKCECodeVerifier()
    const nonce = randomBytes(32).toString('base64url')
    const authorizationUrl = buildAuthorizationUrl(provider.configure(), {
      redirect_uri: `${this.#context.config.baseUrl}${callbackPath}`,
      scope: scopes.join(' '),
      state: reference,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // The provider's own session may be of whoever used this browser before.
      prompt: 'login',
      ui_locales: language,
      ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
    })
    return { codeVerifier, nonce, authorizationUrl: authorizationUrl.href }
  }

  /** Finds out what the answer that was taken says, and keeps it. */
  async #check(reference: string, url: URL, taken: { sealed: Buffer; created_at: Date }): Promise<void> {
    const { pool, clock, telemetry } = this.#context
    const { codeVerifier, nonce } = this.#unseal<Waiting>(reference, taken.sealed)
    const expected = { reference, codeVerifier, nonce, startedAt: taken.created_at }
    let identified: Identified
    try {
      const provider = await this.#findProvider()
      identified = await identifyPerson(provider, this.#settings, url, expected, new Date(clock.now()))
    } catch (error) {
      const { reason } = this.#report(failureOf(error))
      await this.#fail(reference, reason)
      return
    }
    await completeOpenIdConnectOrder.run(pool, { reference, sealed: this.#seal(reference, identified) })
    telemetry.openIdConnectSignIns.inc({ outcome: 'complete' })
  }

  async #fail(reference: string, reason: string): Promise<void> {
    await failOpenIdConnectOrder.run(this.#context.pool, { reference, reason })
  }

  #report(failure: Failure): Failure {
    const { log, telemetry } = this.#context
    const { reason, why } = failure
    telemetry.openIdConnectSignIns.inc({ outcome: reason })
    if (reason !== 'refused') log.warn({ reason, why }, 'a sign-in at the OpenID Connect provider failed')
    return failure
  }

  #refuseLogout(why: string): Error {
    const { log, telemetry } = this.#context
    telemetry.backChannelLogouts.inc({ outcome: 'refused' })
    log.debug({ why }, 'a logout token was refused')
    return invalidArgument(`The logout token does not hold: ${why}.`, 'logout_token')
  }

  #seal(reference: string, value: Waiting | Identified): Buffer {
    return seal(this.#context.keys.master, JSON.stringify(value), openIdConnectOrderPlace(reference))
  }

  #unseal<Kept extends Waiting | Identified>(reference: string, sealed: Buffer): Kept {
    const opened = unseal(this.#context.keys.master, sealed, openIdConnectOrderPlace(reference))
    return JSON.parse(opened.toString()) as Kept
  }
}

/** The OpenID Connect provider of the configuration, which signs people in. It is first asked when somebody does. */
export function openOpenIdConnect(
  settings: OidcSettings,
  secrets: Pick<SecretSettings, 'oidcClientSecret'>,
  context: OpenIdConnectContext,
): OpenIdConnectProvider {
  return new OpenIdConnect(settings, secrets.oidcClientSecret!.reveal(), context)
}
