import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { withOAuth } from '@modelcontextprotocol/sdk/client/middleware.js'
import { expect, test } from 'vitest'
import { advance, call } from '../../testing/process/call.ts'
import { AppStorage } from './app-storage.ts'
import { startClientScene } from './client-scene.ts'

const scene = await startClientScene()
const { member } = scene

test('@modelcontextprotocol/sdk: from a 401 by discovery, registration and consent to a read, a refresh, and back to the consent', async () => {
  const { url, callback, samplesUrl, samples } = scene
  const provider = new AppStorage(callback.redirectUri)
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
