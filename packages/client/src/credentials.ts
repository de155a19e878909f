import { CredentialRefused } from './errors.ts'
import { callBackoff } from './retry.ts'
import { afterUnauthenticated, renewAtMs } from './token.ts'
import type { Transport } from './transport.ts'

/**
 * How the client proves who it is: a static credential (`nsk_…`), the id and secret of a service connection, or, for an app, a function that
 * gives its access token, and a new one where `renew` is true.
 */
export type Identity =
  | { credential: string }
  | { clientId: string; clientSecret: string }
  | { token: (options: { renew: boolean }) => string | Promise<string> }

interface Token {
  bearer: string
  renewAtMs: number
}

/** The bearer of calls. The secret goes to the token endpoint alone. */
export class Credentials {
  readonly #identity: Identity
  readonly #baseUrl: string
  readonly #transport: Transport
  #token: Token | undefined
  #pending: Promise<Token> | undefined
  /** Why no call is sent any more. */
  #refused: CredentialRefused | undefined

  constructor(identity: Identity, baseUrl: string, transport: Transport) {
    const { credential, clientId, clientSecret, token } = identity as Record<string, unknown>
    if (!token && !(clientId && clientSecret) && !/^[\x21-\x7e]+$/.test(`${credential ?? ''}`)) {
      throw new TypeError('Give `credential`, `clientId` and `clientSecret`, or `token`.')
    }
    if (`${credential}`.startsWith('ncs_')) {
      throw new TypeError('`ncs_…` is a client secret: give it as `clientSecret`, with `clientId`.')
    }
    this.#identity = identity
    this.#baseUrl = baseUrl
    this.#transport = transport
  }

  /** @throws CredentialRefused once the credential was refused for good */
  async bearer(): Promise<string> {
    if (this.#refused) throw this.#refused
    if ('credential' in this.#identity) return this.#identity.credential
    if ('token' in this.#identity) return this.#identity.token({ renew: false })
    if (this.#token && this.#transport.clock.now() < this.#token.renewAtMs) return this.#token.bearer
    return (await this.#renew()).bearer
  }

  /**
   * Called on a 401: whether there is another token to try.
   *
   * @param bearer the one that was refused
   * @param refusals of this call so far, this one included
   */
  async afterUnauthenticated(bearer: string, refusals: number): Promise<boolean> {
    const isRenewable = !('credential' in this.#identity)
    if (afterUnauthenticated(isRenewable, refusals) === 'stop') return false
    // Another call may have renewed it in the meantime.
    const current = 'token' in this.#identity ? await this.bearer() : this.#token?.bearer
    if (current === bearer) await this.#renew()
    return true
  }

  /** Ends the client for good. */
  refuse(error: CredentialRefused): void {
    this.#refused ??= error
  }

  /** One exchange serves all calls that wait for it. */
  async #renew(): Promise<Token> {
    this.#pending ??= this.#obtain().finally(() => (this.#pending = undefined))
    this.#token = await this.#pending
    return this.#token
  }

  async #obtain(): Promise<Token> {
    const identity = this.#identity as Exclude<Identity, { credential: string }>
    if ('token' in identity) {
      return { bearer: await identity.token({ renew: true }), renewAtMs: Number.POSITIVE_INFINITY }
    }
    const pair = [identity.clientId, identity.clientSecret].map((part) =>
      new URLSearchParams([['', part]]).toString().slice(1),
    )
    const issuedAtMs = this.#transport.clock.now()
    try {
      const { json } = await this.#transport.send(
        {
          url: `${this.#baseUrl}/oauth/token`,
          method: 'POST',
          headers: {
            authorization: `Basic ${btoa(pair.join(':'))}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: 'grant_type=client_credentials',
        },
        {
          backoff: callBackoff,
          isExpected: ({ access_token: token, expires_in: seconds }) =>
            typeof token === 'string' && typeof seconds === 'number',
        },
      )
      const { access_token: bearer, expires_in: seconds } = json as {
        access_token: string
        expires_in: number
      }
      return { bearer, renewAtMs: renewAtMs(issuedAtMs, seconds) }
    } catch (error) {
      if (error instanceof CredentialRefused) this.refuse(error)
      throw error
    }
  }
}
