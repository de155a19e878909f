import * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { startClientScene } from './client-scene.ts'

// The service under test has no certificate. All other options are the library's defaults.
const options = { [oauth.allowInsecureRequests]: true }

const scene = await startClientScene()
const { member } = scene

test('oauth4webapi: discovery, registration, consent, tokens, a read, a refresh and a revocation', async () => {
  const { url, callback, samplesUrl, samples } = scene
  const { redirectUri } = callback

  // The resource names its authorization server (RFC 9728), which describes itself (RFC 8414).
  const resourceUrl = new URL(`${url}/v1/samples`)
  const resource = await oauth.processResourceDiscoveryResponse(
    resourceUrl,
    await oauth.resourceDiscoveryRequest(resourceUrl, options),
  )
  const issuer = new URL(resource.authorization_servers![0]!)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  )

  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'Ledger Insight',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      options,
    ),
  )

  const codeVerifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const authorizeUrl = new URL(server.authorization_endpoint!)
  authorizeUrl.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    scope: resource.scopes_supported!.join(' '),
    state,
    resource: resource.resource,
  }).toString()
  const cameBack = await member.allow(authorizeUrl)

  // Checks `iss`, since the metadata says that it is there (RFC 9207).
  const parameters = oauth.validateAuthResponse(server, client, cameBack, state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      codeVerifier,
      { additionalParameters: { resource: resource.resource }, ...options },
    ),
  )
  expect(tokens).toMatchObject({
    access_token: expect.stringMatching(/^nat_/),
    refresh_token: expect.stringMatching(/^nrt_/),
    expires_in: 3600,
    scope: 'company.read metrics.read',
  })

  const read = async (accessToken: string): Promise<unknown> => {
    const answer = await oauth.protectedResourceRequest(
      accessToken,
      'GET',
      samplesUrl,
      undefined,
      undefined,
      options,
    )
    return answer.json()
  }
  expect(await read(tokens.access_token)).toMatchObject({ source_id: scene.sourceId, samples })

  const refresh = async (refreshToken: string) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options),
    )
  const fresh = await refresh(tokens.refresh_token!)
  expect(fresh.refresh_token).not.toBe(tokens.refresh_token)
  expect(await read(fresh.access_token)).toMatchObject({ samples })

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), fresh.refresh_token!, options),
  )
  await expect(read(fresh.access_token)).rejects.toMatchObject({
    status: 401,
    cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
  })
  await expect(read(tokens.access_token)).rejects.toMatchObject({ status: 401 })
  await expect(refresh(fresh.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
})
