import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'
import { loginPage } from './login-page.ts'
import { claimsByScope, toClaims, people, toSubject, type Person } from './people.ts'
import { SigningKeys, type SignatureFault } from './signing-keys.ts'
import { visitProvider } from './visitor.ts'

/**
 * A stand-in for a Swedish identity broker: an OpenID Connect provider on this machine, with made-up people on its login
 * page. Tests rotate its keys, spoil its answers and end its sign-ins.
 */

export interface OpenIdProviderOptions {
  /** Any free port by default. */
  port?: number
  /** The address of the service that signs people in. */
  relyingParty: string
  /** Added to the made-up ones. */
  people?: readonly Person[]
  authentication?: 'client_secret_basic' | 'client_secret_post'
  /** Contains the claims about a person; the ID token by default. */
  claimsIn?: 'id_token' | 'userinfo'
}

/** Replaces or delays the stand-in's own answer. */
export interface ForcedAnswer {
  path: '/.well-known/openid-configuration' | '/jwks' | '/token' | '/me'
  status?: number
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown
  /** JSON by default. */
  type?: string
  /** Before answering. Without a status or body the stand-in's own answer follows. */
  delayMs?: number
  /** Answers only once this is fulfilled. */
  until?: Promise<unknown>
  /** Closes the connection without an answer. */
  hangUp?: boolean
  /** The number of calls that it applies to; 1 by default. */
  times?: number
}

export interface TokenFault extends SignatureFault {
  /** Replace the token's; undefined removes one. */
  claims?: Record<string, unknown>
}

/** The claims of an ID token that identify a sign-in. */
export interface ProviderSignIn {
  sid: string
  sub: string
}

export interface OpenIdProviderStandIn extends AsyncDisposable {
  readonly issuer: string
  /** Configures a service to use the stand-in. */
  readonly environment: Record<string, string>
  /** The paths of all calls, oldest first. */
  readonly calls: readonly string[]
  /** The authorization requests, oldest first. */
  readonly requests: readonly URLSearchParams[]
  /** Oldest first. */
  readonly signIns: readonly ProviderSignIn[]
  /** Opens an authorization request as a browser, and signs in (undefined: cancels). @returns the callback's address */
  visit(openUrl: string, personalNumber: string | undefined): Promise<string>
  rotateKeys(): Promise<void>
  /** Applies to the next calls of that path. */
  answerNextWith(answer: ForcedAnswer): void
  /** The next ID token has these faults. */
  spoilNextIdToken(fault: TokenFault): void
  /** Drops the answers and faults that the two above queued. */
  answerAsUsual(): void
  /** A logout token for the sign-in; valid by default. */
  createLogoutToken(signIn: ProviderSignIn, fault?: TokenFault): Promise<string>
}

const clientId = 'numera-trial'
const clientSecret = 'secret-of-the-trial-0123456789'

const callbackPath = '/sign-in/callback'

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request))
}

function withClaims(claims: JWTPayload, changed: Record<string, unknown> = {}): JWTPayload {
  return Object.fromEntries(
    Object.entries({ ...claims, ...changed }).filter(([, value]) => value !== undefined),
  )
}

class OpenIdProvider implements OpenIdProviderStandIn {
  readonly issuer: string
  readonly environment: Record<string, string>
  readonly calls: string[] = []
  readonly requests: URLSearchParams[] = []
  readonly signIns: ProviderSignIn[] = []
  readonly #server: Server
  readonly #keys: SigningKeys
  readonly #people: readonly Person[]
  readonly #provider: Provider
  #forced: ForcedAnswer[] = []
  #spoiled: TokenFault[] = []

  constructor(server: Server, keys: SigningKeys, options: OpenIdProviderOptions) {
    const { port } = server.address() as AddressInfo
    this.issuer = `http://127.0.0.1:${port}`
    this.environment = {
      NUMERA_IDENTITY: 'oidc',
      NUMERA_OIDC_ISSUER: this.issuer,
      NUMERA_OIDC_CLIENT_ID: clientId,
      NUMERA_OIDC_CLIENT_SECRET: clientSecret,
      NUMERA_OIDC_PERSONAL_NUMBER_CLAIM: 'ssn',
    }
    this.#server = server
    this.#keys = keys
    this.#people = [...people, ...(options.people ?? [])]
    this.#provider = new Provider(this.issuer, this.#toConfiguration(options))
    this.#provider.use(async (context, next) => {
      await next()
      const body = context.body as Record<string, unknown> | undefined
      if (context.path === '/jwks') context.body = this.#keys.publicJwks
      if (context.path === '/token' && typeof body?.['id_token'] === 'string') {
        context.body = { ...body, id_token: await this.#finishIdToken(body['id_token']) }
      }
    })
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  visit(openUrl: string, personalNumber: string | undefined): Promise<string> {
    return visitProvider(openUrl, personalNumber)
  }

  rotateKeys(): Promise<void> {
    return this.#keys.rotate()
  }

  answerNextWith(answer: ForcedAnswer): void {
    this.#forced.push({ ...answer })
  }

  spoilNextIdToken(fault: TokenFault): void {
    this.#spoiled.push(fault)
  }

  answerAsUsual(): void {
    this.#forced = []
    this.#spoiled = []
  }

  createLogoutToken({ sid, sub }: ProviderSignIn, fault: TokenFault = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: this.issuer,
      aud: clientId,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      sid,
      sub,
    }
    return this.#keys.sign(withClaims(claims, fault.claims), { typ: 'logout+jwt', ...fault }, clientSecret)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #toConfiguration(options: OpenIdProviderOptions): Configuration {
    const { relyingParty, authentication = 'client_secret_basic', claimsIn = 'id_token' } = options
    return {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${relyingParty}${callbackPath}`],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: authentication,
        },
      ],
      jwks: this.#keys.privateJwks as Configuration['jwks'],
      cookies: { keys: [randomUUID()] },
      clientAuthMethods: [authentication],
      claims: claimsByScope,
      // By the specification they are at the UserInfo endpoint; brokers put them into the ID token.
      conformIdTokenClaims: claimsIn === 'userinfo',
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_context, sub) => {
        const person = this.#people.find((each) => toSubject(each) === sub)
        return person && { accountId: sub, claims: () => toClaims(person) }
      },
      // The broker's contract with the service replaces the person's consent.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new this.#provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        })
        grant.addOIDCScope(Object.keys(claimsByScope).join(' '))
        await grant.save()
        return grant
      },
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    this.calls.push(url.pathname)
    if (await this.#answerForced(url.pathname, response)) return
    if (url.pathname.startsWith('/interaction/')) return this.#login(request, response)
    if (url.pathname === '/auth') this.requests.push(url.searchParams)
    await this.#provider.callback()(request, response)
  }

  /** @returns whether a forced answer replaced the provider's */
  async #answerForced(path: string, response: ServerResponse): Promise<boolean> {
    const forced = this.#forced.find((each) => each.path === path)
    if (forced === undefined) return false
    forced.times = (forced.times ?? 1) - 1
    if (forced.times <= 0) this.#forced = this.#forced.filter((each) => each !== forced)
    if (forced.delayMs !== undefined) await sleep(forced.delayMs, undefined, { ref: false })
    await forced.until
    if (forced.hangUp === true) {
      response.destroy()
      return true
    }
    if (forced.status === undefined && forced.body === undefined) return false
    const { status = 200, body = {}, type = 'application/json' } = forced
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
    return true
  }

  async #login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const { params } = await this.#provider.interactionDetails(request, response)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(loginPage(this.#people, params['ui_locales'] as string | undefined))
      return
    }
    const form = await readForm(request)
    const person = this.#people.find(({ personalNumber }) => personalNumber === form.get('person'))
    await this.#provider.interactionFinished(
      request,
      response,
      person === undefined
        ? { error: 'access_denied', error_description: 'The person cancelled.' }
        : { login: { accountId: toSubject(person), remember: false } },
      { mergeWithLastSubmission: false },
    )
  }

  /** Adds the claims of brokers to the ID token, and signs it with the current key. */
  async #finishIdToken(idToken: string): Promise<string> {
    const { claims: changed, ...signature } = this.#spoiled.shift() ?? {}
    const claims = decodeJwt(idToken)
    const sid = randomUUID()
    const acrValues = this.requests.at(-1)?.get('acr_values')?.split(' ')
    this.signIns.push({ sid, sub: claims.sub! })
    const complete = {
      ...claims,
      sid,
      acr: acrValues?.[0] ?? 'urn:stand-in:substantial',
      auth_time: Math.floor(Date.now() / 1_000),
    }
    return this.#keys.sign(withClaims(complete, changed), signature, clientSecret)
  }
}

export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProviderStandIn> {
  const keys = await SigningKeys.create()
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return new OpenIdProvider(server, keys, options)
}
