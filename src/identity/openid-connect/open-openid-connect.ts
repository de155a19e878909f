import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { decodeJwt } from 'jose'
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import type { OidcSettings, SecretSettings } from '../../config/config.ts'
import { answerGraceMs, connectMsMax, pageStatementTimeoutMs } from '../../database/deadlines.ts'
import { inTransaction } from '../../database/transaction.ts'
import { seal, unseal } from '../../keys/seal.ts'
import { hashSecret } from '../../keys/secrets.ts'
import { rateLimited } from '../../rate-limit/rate-limited.ts'
import type { Context } from '../../service/context.ts'
import { endNamedSessions } from '../../sessions/end-named-sessions.ts'
import { logoutMacsOf, type LogoutNames } from '../../sessions/logout-names.ts'
import type {
  IdentifiedPerson,
  OrderOrigin,
  OrderProgress,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { providerAnswerMsMax } from './bounded-fetch.ts'
import { checkLogoutToken, logoutTokenKeptMs, type CheckedLogout } from './check-logout-token.ts'
import { failureOf, LogoutRefused, type Failure } from './failure.ts'
import { createProviderFinder, type FoundProvider } from './find-provider.ts'
import { identifyPerson, type Expected, type Identified } from './identify-person.ts'
import { issuedAtOf } from './issued-at.ts'
import {
  completeOpenIdConnectOrder,
  failAwaitedOpenIdConnectOrder,
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

/** What the provider is asked for an answer, one after the other: its metadata, the tokens, its keys, the person's claims. */
const callsOfAnswer = 4

/**
 * How long an answer may be checked, in milliseconds: as long as its calls to the provider may take, and the statements that
 * take the answer and keep what became of it. Beyond it the process that did has ended, and the sign-in has failed.
 */
export const answerCheckMsMax =
  callsOfAnswer * providerAnswerMsMax + 2 * (connectMsMax + pageStatementTimeoutMs + answerGraceMs)

/** Logout tokens that a process checks at once. A further one is 429 `rate_limited`. */
export const logoutChecksMax = 500

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
   * @returns how many
   * @throws LogoutRefused where the token does not hold, or was used before; 429 `rate_limited` where too many are being checked
   */
  endSessions(logoutToken: string): Promise<number>
}

/** What an order keeps while it waits for its answer. */
type Waiting = Pick<Expected, 'codeVerifier' | 'nonce'> & { authorizationUrl: string }

/** What it keeps once it is complete: who that is, as JSON. */
interface Kept {
  person: IdentifiedPerson
  logoutNames: LogoutNames & { issuedAt: string }
  /** Absent in orders that a version before completed: then it is taken for true. */
  isTimeUnknown?: boolean
  /** The ID token, in orders that a version before completed: of the names it alone says when the provider made it. */
  evidence?: string
}

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
  /** How many logout tokens are being checked. */
  #logoutChecks = 0

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
      const {
        person,
        logoutNames,
        isTimeUnknown = true,
        evidence: idToken,
      } = this.#unseal<Kept>(reference, row.sealed!)
      const issuedAt = idToken === undefined ? new Date(logoutNames.issuedAt) : issuedAtOf(decodeJwt(idToken))
      return {
        state: 'complete',
        person,
        evidence: '',
        logoutNames: { ...logoutNames, issuedAt },
        isTimeUnknown,
      }
    }
    if (row.answered_at !== null) return this.#waitForCheck(reference, row.answered_at)
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
    const at = new Date(clock.now())
    if (!isSameBrowser(browserToken, order.browser_hash)) {
      // Whoever answers has not begun: they would be signed in where somebody else waits.
      const failure: Failure = { reason: 'not_verified', outcome: 'other_browser', why: 'browser' }
      const failed = await failAwaitedOpenIdConnectOrder.first(pool, {
        reference,
        reason: failure.reason,
        at,
      })
      if (failed !== undefined) this.#report(failure)
      return elsewhere
    }
    const taken = await takeOpenIdConnectAnswer.first(pool, { reference, at })
    if (taken !== undefined) await this.#check(reference, url, taken)
    return order.return_to === null ? elsewhere : `${config.baseUrl}${order.return_to}`
  }

  async endSessions(logoutToken: string): Promise<number> {
    const { pool, clock } = this.#context
    const at = clock.now()
    const { names, jti, issuedAt } = await this.#checkLogout(logoutToken, new Date(at))
    const tokenHash = hash('sha256', JSON.stringify([names.issuer, jti]), 'buffer')
    const { sid, sub } = logoutMacsOf(this.#context.keys, names)
    const kept = {
      tokenHash,
      logoutSidMac: sid ?? null,
      logoutSubMac: sub ?? null,
      issuedAt,
      expiresAt: new Date(at + logoutTokenKeptMs),
    }
    const ended = await inTransaction(pool, async (client) => {
      if ((await insertUsedLogoutToken.first(client, kept)) === undefined) return undefined
      return endNamedSessions(this.#context, client, names)
    })
    if (ended === undefined) throw new LogoutRefused('jti')
    return ended
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
      // The same once more, as what the provider must answer with `auth_time`: who holds the browser may leave `prompt` out.
      max_age: '0',
      ui_locales: language,
      ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
    })
    return { codeVerifier, nonce, authorizationUrl: authorizationUrl.href }
  }

  /** Finds out what the answer that was taken says, and keeps it. */
  async #check(reference: string, url: URL, taken: { sealed: Buffer; created_at: Date }): Promise<void> {
    const { pool, clock, log, telemetry } = this.#context
    const { codeVerifier, nonce } = this.#unseal<Waiting>(reference, taken.sealed)
    const expected = { reference, codeVerifier, nonce, startedAt: taken.created_at }
    let identified: Identified
    try {
      const provider = await this.#findProvider()
      identified = await identifyPerson(provider, this.#settings, url, expected, new Date(clock.now()))
    } catch (error) {
      const failure = failureOf(error)
      if (await this.#fail(reference, failure.reason)) this.#report(failure)
      return
    }
    if (identified.isTimeUnknown) {
      log.warn(
        { why: 'auth_time' },
        'the OpenID Connect provider does not say when a person identified themselves',
      )
    }
    const sealed = this.#seal(reference, identified)
    const completed = await completeOpenIdConnectOrder.first(pool, { reference, sealed })
    if (completed !== undefined) telemetry.openIdConnectSignIns.inc({ outcome: 'complete' })
  }

  /** The answer is being checked, unless the process that did has ended: then nobody will. */
  async #waitForCheck(reference: string, answeredAt: Date): Promise<OrderProgress> {
    const pending: OrderProgress = { state: 'pending', hint: 'outstanding', presentation: {} }
    if (this.#context.clock.now() - answeredAt.getTime() < answerCheckMsMax) return pending
    // It may have been kept this very moment: then the next call finds it.
    if (!(await this.#fail(reference, 'unavailable'))) return pending
    const { reason } = this.#report({ reason: 'unavailable', why: 'unfinished' })
    return { state: 'failed', reason }
  }

  /** @returns false where it is over already */
  async #fail(reference: string, reason: string): Promise<boolean> {
    return (await failOpenIdConnectOrder.first(this.#context.pool, { reference, reason })) !== undefined
  }

  #report(failure: Failure): Failure {
    const { log, telemetry } = this.#context
    const { reason, outcome = reason, why } = failure
    telemetry.openIdConnectSignIns.inc({ outcome })
    if (reason !== 'refused') log.warn({ outcome, why }, 'a sign-in at the OpenID Connect provider failed')
    return failure
  }

  /** Before anything is asked of the database: whoever sends bad ones takes nothing from the provider's. */
  async #checkLogout(logoutToken: string, at: Date): Promise<CheckedLogout> {
    if (this.#logoutChecks >= logoutChecksMax) throw rateLimited(1)
    this.#logoutChecks += 1
    try {
      const provider = await this.#findProvider()
      return await checkLogoutToken(provider, this.#settings.clientId, logoutToken, at)
    } catch (error) {
      throw new LogoutRefused(failureOf(error).why)
    } finally {
      this.#logoutChecks -= 1
    }
  }

  #seal(reference: string, value: Waiting | Identified): Buffer {
    return seal(this.#context.keys.master, JSON.stringify(value), openIdConnectOrderPlace(reference))
  }

  #unseal<Content extends Waiting | Kept>(reference: string, sealed: Buffer): Content {
    const opened = unseal(this.#context.keys.master, sealed, openIdConnectOrderPlace(reference))
    return JSON.parse(opened.toString()) as Content
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
