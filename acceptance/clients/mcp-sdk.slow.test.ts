import { auth, type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { withOAuth } from '@modelcontextprotocol/sdk/client/middleware.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { expect, test } from 'vitest'
import { advance, call } from '../../testing/process/call.ts'
import { startClientScene } from './client-scene.ts'

const scene = await startClientScene()
const { member } = scene

/** The app's storage for the library, in memory. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl: string
  sentTo: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #codeVerifier = ''

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }
  get clientMetadata() {
    return {
      client_name: 'Ledger Insight',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      software_id: '4NRB1-0XZABZI9E6-5SM3R',
    }
  }
  state() {
    return 'a state of the app'
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(codeVerifier: string) {
    this.#codeVerifier = codeVerifier
  }
  codeVerifier() {
    return this.#codeVerifier
  }
  invalidateCredentials(scope: string) {
    if (scope === 'tokens' || scope === 'all') this.#tokens = undefined
    if (scope === 'client' || scope === 'all') this.#client = undefined
  }
}

test('@modelcontextprotocol/sdk: from a 401 by discovery, registration and consent to a read, a refresh, and back to the consent', async () => {
  const { url, callback, samplesUrl, samples } = scene
  const provider = new Provider(callback.redirectUri)
  const resource = `${url}/v1/samples`
  const read = withOAuth(provider, resource)(fetch)

  // The first read is refused. Its challenge leads to the metadata, by which the library registers and requests consent.
  await expect(read(samplesUrl)).rejects.toBeInstanceOf(UnauthorizedError)
  expect(provider.clientInformation()?.client_id).toMatch(/^app_/)
  expect(Object.fromEntries(provider.sentTo!.searchParams)).toMatchObject({
    resource,
    scope: 'company.read metrics.read',
  })

  const consent = async (): Promise<void> => {
    const cameBack = await member.allow(provider.sentTo!)
    expect(cameBack.searchParams.get('state')).toBe('a state of the app')
    const authorizationCode = cameBack.searchParams.get('code')!
    expect(await auth(provider, { serverUrl: resource, authorizationCode })).toBe('AUTHORIZED')
  }
  await consent()
  const first = provider.tokens()!
  expect(await (await read(samplesUrl)).json()).toMatchObject({ source_id: scene.sourceId, samples })

  // An hour later the library refreshes by itself.
  await advance(url, 3_601)
  expect(await (await read(samplesUrl)).json()).toMatchObject({ samples })
  const second = provider.tokens()!
  expect(second.access_token).not.toBe(first.access_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)

  // The library does not revoke tokens. After the test does, it redirects to the member again, who need not sign.
  const { client_id } = provider.clientInformation()!
  const revoked = await call(`${url}/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id, token: second.refresh_token! }).toString(),
  })
  expect([revoked.status, revoked.text]).toEqual([200, ''])
  provider.sentTo = undefined
  await expect(read(samplesUrl)).rejects.toBeInstanceOf(UnauthorizedError)
  expect(provider.sentTo).toBeDefined()
  await consent()
  expect(await (await read(samplesUrl)).json()).toMatchObject({ samples })
})
