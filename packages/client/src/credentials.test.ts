import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import {
  caught,
  fault,
  order,
  type Received,
  row,
  startScriptedService,
  stored,
  token,
} from '../testing/scripted-service.ts'

/*
 * What the specification says about credentials, each rule quoted; see rules.test.ts.
 */

describe('“With a refused credential, it stops”', () => {
  const connection = { clientId: 'a:b', clientSecret: 'ncs_å' }

  test('a static one on the first 401', async () => {
    await using service = await startScriptedService(fault(401, 'unauthenticated'), stored)
    const numera = service.client()
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(await caught(numera.companies())).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(1)
  })

  test('“Ask for a new one a minute before expires_in runs out”', async () => {
    await using service = await startScriptedService(token('nat_1'), stored, stored, token('nat_2'), stored)
    const numera = service.client({}, connection)
    await numera.push([row], order)
    service.clock.advance(3_539_000)
    await numera.push([row], order)
    service.clock.advance(1000)
    await numera.push([row], order)
    const [, ...calls] = service.received.map(({ path, headers }) => `${path} ${headers.authorization}`)
    expect(calls).toEqual([
      '/v1/ingest Bearer nat_1',
      '/v1/ingest Bearer nat_1',
      expect.stringMatching(/^\/oauth\/token Basic /),
      '/v1/ingest Bearer nat_2',
    ])
  })

  test('“and once more on a 401”, immediately', async () => {
    await using service = await startScriptedService(
      token('nat_1'),
      fault(401, 'unauthenticated'),
      token('nat_2'),
      stored,
    )
    await service.client({}, connection).push([row], order)
    expect(service.received.at(-1)!.headers.authorization).toBe('Bearer nat_2')
    expect(service.clock.sleeps).toEqual([])
  })

  test('“A second 401 is final”', async () => {
    const refused = fault(401, 'unauthenticated')
    await using service = await startScriptedService(token('nat_1'), refused, token('nat_2'), refused)
    const numera = service.client({}, connection)
    expect(await caught(numera.push([row], order))).toMatchObject({ name: 'CredentialRefused', attempts: 2 })
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(4)
  })

  test('“The secret is sent only to the token endpoint”, form-encoded', async () => {
    await using service = await startScriptedService(token('nat_1'), stored)
    await service.client({}, connection).push([row], order)
    const [exchange, call] = service.received as [Received, Received]
    expect(exchange).toMatchObject({
      method: 'POST',
      path: '/oauth/token',
      body: 'grant_type=client_credentials',
    })
    expect(atob(exchange.headers.authorization!.slice(6))).toBe('a%3Ab:ncs_%C3%A5')
    expect(JSON.stringify(call)).not.toMatch(/ncs_|Basic/)
    expect(() => service.client({}, { credential: 'ncs_secret' })).toThrow(TypeError)
  })

  test('“A bad client id or secret, or a revoked or expired connection, gives 401 invalid_client”', async () => {
    const body = { error: 'invalid_client', error_description: 'Unknown.' }
    await using service = await startScriptedService({ status: 401, body })
    const numera = service.client({}, connection)
    expect(await caught(numera.push([row], order))).toMatchObject({
      name: 'CredentialRefused',
      message: 'Unknown.',
    })
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(1)
  })

  test('one exchange serves all calls, and is itself tried again', async () => {
    const unavailable = {
      status: 503,
      body: { error: 'temporarily_unavailable', error_description: 'Later.' },
    }
    await using service = await startScriptedService(unavailable, token('nat_1'), stored)
    const numera = service.client({}, connection)
    await Promise.all(Array.from({ length: 5 }, () => numera.push([row], order)))
    expect(service.received.filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
  })

  test("an app's token comes from its own function", async () => {
    await using service = await startScriptedService(fault(401, 'unauthenticated'), {
      status: 200,
      body: { companies: [] },
    })
    let current = 'nat_old'
    const provide = ({ renew }: { renew: boolean }): string => (renew ? (current = 'nat_new') : current)
    await service.client({}, { token: provide }).companies()
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer nat_old',
      'Bearer nat_new',
    ])
  })
})
