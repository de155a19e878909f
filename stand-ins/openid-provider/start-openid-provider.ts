import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'
import { loginPage } from './login-page.ts'
import { claimsByScope, claimsOf, people, subjectOf, type Person } from './people.ts'
import { SigningKeys, type SignatureFault } from './signing-keys.ts'
import { visitProvider } from './visitor.ts'

/**
 * A stand-in for a Swedish identity broker: an OpenID Connect provider on this machine, whose login page asks which of some
 * made-up people one is. Its keys are rotated, its answers are spoiled and its sign-ins are ended by call.
 */

export interface OpenIdProviderOptions {
  /** Any free one unless said. */
  port?: number
  /** The service that signs people in: its address. */
  relyingParty: string
  /** Beside the made-up ones. */
  people?: readonly Person[]
  authentication?: 'client_secret_basic' | 'client_secret_post'
  /** Where the claims about a person are: in the ID token unless said. */
  claimsIn?: 'id_token' | 'userinfo'
}

/** What the stand-in answers in place of what it would. */
export interface ForcedAnswer {
  path: '/.well-known/openid-configuration' | '/jwks' | '/token' | '/me'
  status?: number
  /** As it is where it is a text, else as JSON. */
  body?: unknown
  /** JSON unless said. */
  type?: string
  /** Before it answers: with this answer, or with what it would have said where the rest is missing. */
  delayMs?: number
  /** The same: until this is fulfilled. */
  until?: Promise<unknown>
  /** Closes the connection without an answer. */
  hangUp?: boolean
  /** How many calls it is for: one unless said. */
  times?: number
}

/** What is wrong with a token. */
export interface TokenFault extends SignatureFault {
  /** In place of those that it would have; undefined leaves one out. */
  claims?: Record<string, unknown>
}

/** Somebody who has signed in, as ID tokens name it. */
export interface ProviderSignIn {
  sid: string
  sub: string
}

export interface OpenIdProviderStandIn extends AsyncDisposable {
  readonly issuer: string
  /** The variables that configure a service with it. */
  readonly environment: Record<string, string>
  /** The paths that were called, oldest first. */
  readonly calls: readonly string[]
  /** The requests that browsers came with, oldest first. */
  readonly requests: readonly URLSearchParams[]
  /** Who has signed in, oldest first. */
  readonly signIns: readonly ProviderSignIn[]
  /** A person opens the address of a request and signs in, or gives up: the callback that they are sent to. */
  visit(openUrl: string, personalNumber: string | undefined): Promise<string>
  rotateKeys(): Promise<void>
  /** The next calls of that path are answered in this way. */
  answerNextWith(answer: ForcedAnswer): void
  /** The next ID token has these faults. */
  spoilNextIdToken(fault: TokenFault): void
  /** Forgets what the two above have left. */
  answerAsUsual(): void
  /** A logout token for the sign-in, right unless said. */
  makeLogoutToken(signIn: ProviderSignIn, fault?: TokenFault): Promise<string>
}

const clientId = 'numera-trial'
const clientSecret = 'secret-of-the-trial-0123456789'
const formBytesMax = 10_000

/** Where the service is called, as its documents say. */
const callbackPath = '/sign-in/callback'

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const part of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += part
    if (text.length > formBytesMax) throw new Error('The form is too long.')
  }
  return new URLSearchParams(text)
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
    this.#provider = new Provider(this.issuer, this.#configurationOf(options))
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

  makeLogoutToken({ sid, sub }: ProviderSignIn, fault: TokenFault = {}): Promise<string> {
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

  #configurationOf(options: OpenIdProviderOptions): Configuration {
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
      // Brokers put them into the ID token; the specification has them at the UserInfo endpoint.
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
        const person = this.#people.find((each) => subjectOf(each) === sub)
        return person && { accountId: sub, claims: () => claimsOf(person) }
      },
      // Nobody is asked for what the broker's contract with the service settles.
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
    if (await this.#answerInstead(url.pathname, response)) return
    if (url.pathname.startsWith('/interaction/')) return this.#login(request, response)
    if (url.pathname === '/auth') this.requests.push(url.searchParams)
    await this.#provider.callback()(request, response)
  }

  /** Whether there was a forced answer, and it is all that there is. */
  async #answerInstead(path: string, response: ServerResponse): Promise<boolean> {
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
        ? { error: 'access_denied', error_description: 'The person gave up.' }
        : { login: { accountId: subjectOf(person), remember: false } },
      { mergeWithLastSubmission: false },
    )
  }

  /** Says in the ID token what brokers say, and signs it with the key of the moment. */
  async #finishIdToken(idToken: string): Promise<string> {
    const { claims: changed, ...signature } = this.#spoiled.shift() ?? {}
    const claims = decodeJwt(idToken)
    const sid = randomUUID()
    const acrValues = this.requests.at(-1)?.get('acr_values')?.split(' ')
    this.signIns.push({ sid, sub: claims.sub! })
    const said = {
      ...claims,
      sid,
      acr: acrValues?.[0] ?? 'urn:stand-in:substantial',
      auth_time: Math.floor(Date.now() / 1_000),
    }
    return this.#keys.sign(withClaims(said, changed), signature, clientSecret)
  }
}

/** Starts it on this machine, for as long as it is not disposed of. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProviderStandIn> {
  const keys = await SigningKeys.make()
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return new OpenIdProvider(server, keys, options)
}
