import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppScene, startAppScene } from './app-scene.ts'
import { advance, type Answer, call } from '../testing/process/call.ts'
import { refresh, registerApp, requestRegistration } from '../testing/process/oauth-app.ts'
import type { Connection } from '../testing/process/shop.ts'
import { untilRefused } from './until-refused.ts'

// The rates of the OAuth endpoints, as the specification has them, and the operator's stop.

let scene: AppScene
let url: string
let client: Connection
beforeAll(async () => {
  scene = await startAppScene()
  url = scene.url
  client = await scene.shop.connect({ credential_kind: 'client' })
})
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
})

const requestToken = (id = client.clientId, secret = client.secret): Promise<Answer> =>
  call(`${url}/oauth/token`, {
    method: 'POST',
    body: 'grant_type=client_credentials',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    },
  })
const outcome = ({ status, body }: Answer): string => `${status} ${body?.error}`
const expectUnavailable = (answer: Answer, status: number): void => {
  expect(outcome(answer)).toBe(`${status} temporarily_unavailable`)
  expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'error_description'])
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(answer.headers.get('link')).toBe(`<${url}/docs/errors#temporarily_unavailable>; rel="help"`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
}

describe('The token endpoint', () => {
  test('limits guesses at a client’s secret, and no other client', async () => {
    const { passed, refused, seconds } = await untilRefused(30, () =>
      requestToken('01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a11', 'ncs_guess'),
    )
    expect(passed.length).toBeLessThanOrEqual(20 + seconds)
    expect(refused.length).toBeGreaterThan(0)
    expectUnavailable(refused[0]!, 429)
    expect((await requestToken()).status).toBe(200)
  })

  test('limits guesses at codes and tokens for each app and network', async () => {
    const guesser = await registerApp(url, 'https://app.example.com/callback')
    const { passed, refused, seconds } = await untilRefused(60, () =>
      refresh(url, guesser, `nrt_${randomBytes(21).toString('hex')}a`),
    )
    expect(new Set(passed.map(outcome))).toEqual(new Set(['400 invalid_grant']))
    expect(passed.length).toBeLessThanOrEqual(20 + seconds)
    expect(new Set(refused.map(outcome))).toEqual(new Set(['429 temporarily_unavailable']))
  })

  test('issues nothing while the operator has stopped it; tokens issued before stay valid', async () => {
    await advance(url, 60)
    const token = (await requestToken()).body.access_token
    const { stopped_since: since } = await scene.service.command('tokens stop')
    expectUnavailable(await requestToken(), 503)
    expect((await call(`${url}/v1/sources`, { credential: token })).status).toBe(200)
    expect(await scene.service.command('tokens status')).toEqual({ stopped_since: since })
    expect(await scene.service.command('tokens resume')).toEqual({ stopped_since: null })
    expect((await requestToken()).status).toBe(200)
  })
})

test('Registration floods: after three apps, and after six mistakes, an address waits, even with forged headers', async () => {
  await advance(url, 200)
  const register = async (index: number, body: object) => {
    const network = `198.51.${index}.1`
    const answer = await requestRegistration(url, body, {
      'x-forwarded-for': network,
      forwarded: `for=${network}`,
    })
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    return answer.status
  }
  const valid = { client_name: 'App', redirect_uris: ['https://app.example/callback'] }
  const registered: number[] = []
  const mistaken: number[] = []
  for (let index = 0; index < 5; index++) registered.push(await register(index, valid))
  for (let index = 0; index < 8; index++) mistaken.push(await register(index, {}))
  expect(registered).toEqual([201, 201, 201, 429, 429])
  expect(mistaken).toEqual([400, 400, 400, 400, 400, 400, 429, 429])
})
