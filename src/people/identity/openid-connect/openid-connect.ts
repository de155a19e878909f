import { hash, randomBytes } from 'node:crypto'
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import type { DirectoryContext } from '../../../context.ts'
import type { OidcSettings, SecretSettings } from '../../../platform/config/config.ts'
import { answerGraceMs, connectMsMax, pageStatementTimeoutMs } from '../../../platform/database/deadlines.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { rateLimited } from '../../../platform/rate-limit/rate-limited.ts'
import { endNamedSessions, toLogoutMacs, type LogoutNames } from '../../sessions/provider-logout.ts'
import type { RecordSessionEvent } from '../../sessions/session-event.ts'
import type { OrderOrigin, OrderProgress, SignInProvider, StartedOrder } from '../identity-provider.ts'
import { isSameBrowser } from '../order.ts'
import { sealedOpenIdConnectOrders } from '../sealed-tables.ts'
import { providerAnswerMsMax } from './bounded-fetch.ts'
import { checkLogoutToken, logoutTokenKeptMs, type CheckedLogout } from './check-logout-token.ts'
import { LogoutRefused, toFailure, type Failure } from './failure.ts'
import { createProviderFinder, type FoundProvider } from './find-provider.ts'
import { identifyPerson, type Expected, type Identified } from './identify-person.ts'
import {
  claimOpenIdConnectAnswer,
  completeOpenIdConnectOrder,
  failAwaitedOpenIdConnectOrder,
  failOpenIdConnectOrder,
  insertOpenIdConnectOrder,
  insertUsedLogoutToken,
  selectAnsweredOrder,
  selectOpenIdConnectOrder,
} from './queries.ts'

/** How long a person has to return from the OpenID Connect provider. Then the sign-in has failed. */
export const openIdConnectOrderMs = 10 * 60_000

/** Calls to the provider for an answer, one after the other: metadata, tokens, keys, the person's claims. */
const callsOfAnswer = 4

/**
 * How long an answer may be checked, in milliseconds: as long as its calls to the provider may take, and the statements before
 * and after. Beyond it the process that did has ended, and the sign-in has failed.
 */
export const answerCheckMsMax =
  callsOfAnswer * providerAnswerMsMax + 2 * (connectMsMax + pageStatementTimeoutMs + answerGraceMs)

/** Logout tokens that a process checks at a time. A further one is 429 `rate_limited`. */
export const logoutChecksMax = 500

/** Where the provider sends the person's browser with its answer: registered there as `redirect_uri`. */
export const callbackPath = '/sign-in/callback'

/** Where the provider sends logout tokens: registered there as `backchannel_logout_uri`. */
export const backChannelLogoutPath = '/sign-in/back-channel-logout'

type OpenIdConnectContext = Pick<DirectoryContext, 'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'>

/** What is stored of an order that waits for its answer. */
type Waiting = Pick<Expected, 'codeVerifier' | 'nonce'> & { authorizationUrl: string }

/** What is stored of a complete order: `Identified` as JSON. */
type StoredPerson = Omit<Identified, 'logoutNames'> & { logoutNames: LogoutNames & { issuedAt: string } }

/** The `state` of an answer (RFC 6749, 4.1.2), if it has one of ours. */
function readReference(target: URL): string | undefined {
  const [reference, ...others] = target.searchParams.getAll('state')
  return reference !== undefined && others.length === 0 && /^[\w-]{43}$/.test(reference)
    ? reference
    : undefined
}

/** The OpenID Connect provider of the configuration, which signs people in. It is first called at a sign-in. */
export class OpenIdConnect implements SignInProvider, AsyncDisposable {
  readonly name = 'oidc'
  readonly #settings: OidcSettings
  readonly #context: OpenIdConnectContext
  readonly #findProvider: () => Promise<FoundProvider>
  /** How many logout tokens are being checked. */
  #logoutChecks = 0

  constructor(
    settings: OidcSettings,
    { oidcClientSecret }: Pick<SecretSettings, 'oidcClientSecret'>,
    context: OpenIdConnectContext,
  ) {
    this.#settings = settings
    this.#context = context
    this.#findProvider = createProviderFinder(settings, oidcClientSecret!.reveal(), context)
  }

  async startSignIn(origin: OrderOrigin): Promise<StartedOrder> {
    const { pool, clock } = this.#context
    const reference = randomBytes(32).toString('base64url')
    let waiting: Waiting | undefined
    let failure: Failure | undefined
    try {
      waiting = await this.#request(reference, origin)
    } catch (error) {
      failure = this.#report(toFailure(error))
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
      const { logoutNames, ...identified } = this.#unseal<StoredPerson>(reference, row.sealed!)
      const issuedAt = new Date(logoutNames.issuedAt)
      return { state: 'complete', ...identified, evidence: '', logoutNames: { ...logoutNames, issuedAt } }
    }
    if (row.answered_at !== null) return this.#waitForCheck(reference, row.answered_at)
    if (row.expires_at.getTime() <= clock.now()) return { state: 'failed', reason: 'expired' }
    const { authorizationUrl } = this.#unseal<Waiting>(reference, row.sealed!)
    return { state: 'pending', hint: 'outstanding', presentation: { openUrl: authorizationUrl } }
  }

  async cancel(reference: string): Promise<void> {
    await this.#fail(reference, 'refused')
  }

  /**
   * Accepts the provider's answer to an order: once, from the browser that began. The outcome can then be collected.
   *
   * @param target path and query of the callback as it was called
   * @param browserToken from the cookie of the calling browser
   * @returns where the browser continues: an address of this service
   */
  async answer(target: string, browserToken: string | undefined): Promise<string> {
    const { pool, clock, config } = this.#context
    const signInPage = `${config.baseUrl}/sign-in`
    // Only its query is the answer: a request may write the address in several ways, and with another host.
    const url = new URL(`${config.baseUrl}${callbackPath}`)
    url.search = /\?.*/s.exec(target)?.[0] ?? ''
    const reference = readReference(url)
    const order = reference && (await selectAnsweredOrder.first(pool, { reference }))
    if (!reference || !order) return signInPage
    const at = new Date(clock.now())
    if (!isSameBrowser(browserToken, order.browser_hash)) {
      // The person who answers did not begin the order: they would be signed in on another person's page.
      const reason = 'not_verified'
      const failed = await failAwaitedOpenIdConnectOrder.first(pool, { reference, reason, at })
      if (failed !== undefined) this.#report({ reason, outcome: 'other_browser', why: 'browser' })
      return signInPage
    }
    const claimed = await claimOpenIdConnectAnswer.first(pool, { reference, at })
    if (claimed !== undefined) await this.#check(reference, url, claimed)
    return `${config.baseUrl}${order.return_to}`
  }

  /**
   * Ends the sessions that a logout token names, each person's recorded.
   *
   * @returns how many
   * @throws LogoutRefused if the token does not hold, or was used before; 429 `rate_limited` if too many are being checked
   */
  async endSessions(logoutToken: string, record: RecordSessionEvent): Promise<number> {
    const { pool, clock } = this.#context
    const at = clock.now()
    const { names, jti, issuedAt } = await this.#checkLogout(logoutToken, new Date(at))
    const { sid, sub } = toLogoutMacs(this.#context, names)
    const used = {
      tokenHash: hash('sha256', JSON.stringify([names.issuer, jti]), 'buffer'),
      logoutSidMac: sid,
      logoutSubMac: sub,
      issuedAt,
      expiresAt: new Date(at + logoutTokenKeptMs),
    }
    const ended = await inTransaction(pool, async (client) => {
      if ((await insertUsedLogoutToken.first(client, used)) === undefined) return undefined
      const memberIds = await endNamedSessions(this.#context, client, names)
      for (const memberId of new Set(memberIds)) {
        await record(client, { memberId, action: 'session_ended', details: { by: 'provider' } })
      }
      return memberIds.length
    })
    if (ended === undefined) throw new LogoutRefused('jti')
    return ended
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The address for the person's browser (OpenID Connect Core 1.0, 3.1.2.1), and what its answer is checked against. */
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
      // The provider's own session may be that of another person who used this browser.
      prompt: 'login',
      // The same as a claim that the provider must answer with `auth_time`: an attacker at the browser could remove `prompt`.
      max_age: '0',
      ui_locales: language,
      ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
    })
    return { codeVerifier, nonce, authorizationUrl: authorizationUrl.href }
  }

  /** Checks an answer and stores the outcome. */
  async #check(reference: string, url: URL, claimed: { sealed: Buffer; created_at: Date }): Promise<void> {
    const { pool, clock, log, telemetry } = this.#context
    const { codeVerifier, nonce } = this.#unseal<Waiting>(reference, claimed.sealed)
    const expected = { reference, codeVerifier, nonce, startedAt: claimed.created_at }
    let identified: Identified
    try {
      const provider = await this.#findProvider()
      identified = await identifyPerson(provider, this.#settings, url, expected, new Date(clock.now()))
    } catch (error) {
      const failure = toFailure(error)
      if (await this.#fail(reference, failure.reason)) this.#report(failure)
      return
    }
    if (identified.isTimeUnknown) {
      log.warn({ why: 'auth_time' }, 'the OpenID Connect provider does not say when a person authenticated')
    }
    const sealed = this.#seal(reference, identified)
    const completed = await completeOpenIdConnectOrder.first(pool, { reference, sealed })
    if (completed !== undefined) telemetry.openIdConnectSignIns.inc({ outcome: 'complete' })
  }

  /** Fails an order if the process that checks its answer has ended. */
  async #waitForCheck(reference: string, answeredAt: Date): Promise<OrderProgress> {
    const pending: OrderProgress = { state: 'pending', hint: 'outstanding', presentation: {} }
    if (this.#context.clock.now() - answeredAt.getTime() < answerCheckMsMax) return pending
    // The outcome may have been stored at this moment: then the next call finds it.
    if (!(await this.#fail(reference, 'unavailable'))) return pending
    const { reason } = this.#report({ reason: 'unavailable', why: 'unfinished' })
    return { state: 'failed', reason }
  }

  /** @returns false if it is over already */
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

  /** Before the database is used: an attacker who sends bad tokens uses up nothing of the provider's. */
  async #checkLogout(logoutToken: string, at: Date): Promise<CheckedLogout> {
    if (this.#logoutChecks >= logoutChecksMax) throw rateLimited(1)
    this.#logoutChecks += 1
    try {
      const provider = await this.#findProvider()
      return await checkLogoutToken(provider, this.#settings.clientId, logoutToken, at)
    } catch (error) {
      throw new LogoutRefused(toFailure(error).why)
    } finally {
      this.#logoutChecks -= 1
    }
  }

  #seal(reference: string, value: Waiting | Identified): Buffer {
    return sealedOpenIdConnectOrders.seal(this.#context, { reference }, JSON.stringify(value))
  }

  #unseal<Content extends Waiting | StoredPerson>(reference: string, sealed: Buffer): Content {
    return JSON.parse(sealedOpenIdConnectOrders.unseal(this.#context, { reference }, sealed)) as Content
  }
}
