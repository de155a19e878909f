import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { startClientScene } from './client-scene.ts'

const scene = await startClientScene()
const { member } = scene

test('openid-client: discovery, registration, consent, tokens, a read, a refresh and a revocation', async () => {
  const { url, callback, samplesUrl, samples, orgnr } = scene
  const { redirectUri } = callback
  const config = await client.dynamicClientRegistration(
    new URL(url),
    { client_name: 'Ledger Insight', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    client.None(),
    // The service under test has no certificate.
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  )
  expect(config.serverMetadata().issuer).toBe(url)
  expect(config.serverMetadata().supportsPKCE()).toBe(true)
  expect(config.clientMetadata().client_id).toMatch(/^app_/)

  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'metrics.read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    companies: orgnr,
  })
  const cameBack = await member.allow(authorizeUrl)
  const tokens = await client.authorizationCodeGrant(config, cameBack, { pkceCodeVerifier, expectedState })
  expect(tokens.expires_in).toBe(3600)
  expect(tokens.scope).toBe('metrics.read')

  const read = async (accessToken: string): Promise<unknown> =>
    (await client.fetchProtectedResource(config, accessToken, samplesUrl, 'GET')).json()
  expect(await read(tokens.access_token)).toMatchObject({ source_id: scene.sourceId, samples })

  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token!)
  expect(fresh.refresh_token).not.toBe(tokens.refresh_token)
  expect(await read(fresh.access_token)).toMatchObject({ samples })

  await client.tokenRevocation(config, fresh.access_token)
  await expect(read(fresh.access_token)).rejects.toMatchObject({ status: 401 })
  await expect(client.refreshTokenGrant(config, fresh.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  })

  // Refusals are errors of the library's own.
  const again = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'sources.ingest',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const refused = await fetch(again, { redirect: 'manual' })
  const location = new URL(refused.headers.get('location')!)
  await expect(
    client.authorizationCodeGrant(config, location, { pkceCodeVerifier, expectedState }),
  ).rejects.toMatchObject({ error: 'invalid_scope' })
})
