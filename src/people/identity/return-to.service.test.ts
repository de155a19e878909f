import { describe, expect, test } from 'vitest'
import { createConsoleClient, signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedApp } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

/** The page to which a person returns from their electronic identity. */

const { context, app } = await startTestService()
const { owner, company, source } = await seedScene(context, { source: {} })

/** Addresses to which an attacker might lead a person. */
const elsewhere = [
  '/oauth/authorize?client_id=app-1&response_type=x#',
  '/oauth/authorize?client_id=app-1',
  '/sign-in#',
  '/sign-in?a=1#b',
  '/v1/samples',
  '/sign-in/callback?state=1',
  '/bankid/return',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  '/sign-in/../oauth/authorize?client_id=app-1',
  '/companies/%2e%2e/oauth/authorize',
  '/sign-in%23',
  '/sign-in?a=\u00e4',
  '/nowhere',
  '',
]

describe('a person returns only to a page of the service', () => {
  test.each(elsewhere)('signing in does not return to %j', async (return_to) => {
    const answer = await createConsoleClient(app).post('/console/sign-in', { return_to, device: 'this' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument', field: 'return_to' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('signing a connection or a consent returns only to such a page', async () => {
    const client = await signInConsole(app, context, owner)
    const connections = `/console/companies/${company.companyId}/connections`
    const { body } = await client.post(connections, {
      name: 'Connector',
      source_id: source.sourceId,
      permissions: ['metrics.read'],
      kind: 'production',
      credential_kind: 'client',
    })
    const { clientId } = await seedApp(context, { redirectUris: ['https://app.example.com/back'] })
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example.com/back',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString()
    const choice = { query, permissions: ['metrics.read'], companies: { every: true } }
    for (const [path, more] of [
      [`${connections}/${body.connection.connection_id}/sign`, {}],
      ['/console/authorize/sign', choice],
    ] as const) {
      for (const return_to of elsewhere) {
        const answer = await client.post(path, { ...more, return_to })
        expect(answer, `${path} ${return_to}`).toMatchObject({ status: 400, body: { field: 'return_to' } })
      }
    }
  })
})

test('the page that BankID’s app opens never redirects, with any address', async () => {
  for (const url of [
    '/bankid/return',
    '/bankid/return/',
    '/bankid/return?return_to=//elsewhere.example&redirect_uri=https://elsewhere.example&state=1',
  ]) {
    const answer = await app.inject({ url })
    expect([answer.statusCode, answer.headers['location'], answer.headers['refresh']]).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  }
})
