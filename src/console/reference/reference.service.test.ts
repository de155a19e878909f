import { expect, test, vi } from 'vitest'
import { addDemoConnection } from '../../company/connections/add-demo-connection.ts'
import { referenceClientId } from '../../platform/http/docs-origin.ts'
import { escapeHtml } from '../../platform/web-app/escape-html.ts'
import { noPages } from '../../platform/web-app/web-app.ts'
import { addReferenceApp } from '../../oauth/register/add-reference-app.ts'
import {
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedMember,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { factsMsMax } from './routes.ts'

const { context, app } = await startTestService({
  pages: { ...noPages, reference: '<!doctype html><head></head>' },
})
const base = 'http://localhost:8080'
/** This deployment signs in with the demo's identity. */
const demo = '<meta name="numera-demo" content="yes" />'
const page = async (): Promise<string> => (await app.inject({ url: '/docs/api' })).payload

test('the reference may call the API and the flow of an app, and nothing of the pages’ session', async () => {
  const { statusCode, headers } = await app.inject({ url: '/docs/api' })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy':
      `default-src 'none'; script-src ${base}/assets/; style-src 'unsafe-inline'; img-src 'self' data:; ` +
      `connect-src ${base}/v1/ ${base}/oauth/ ${base}/.well-known/ ${base}/openapi.json; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  })
  const back = await app.inject({ url: '/docs/api/callback?code=nac_x&state=y' })
  expect(back.statusCode).toBe(200)
  expect(back.payload).not.toContain('nac_x')
  expect(back.headers['content-security-policy']).toMatch(/^default-src 'none';(?!.*script)/)
  expect((await app.inject({ url: '/docs/api/' })).headers['location']).toBe('/docs/api')
})

test('it fills in the demo connection’s credential, an app of its own and what that may read where the deployment has them, and nothing elsewhere', async () => {
  expect(await page()).toBe(`<!doctype html><head>${demo}</head>`)
  const { company } = await seedCompany(context)
  const { sourceId } = await seedSource(context, company.companyId, { name: 'Web & "shop"' })
  const credential = context.config.demoCredential!
  await addDemoConnection(context, company.companyId, sourceId, credential)
  await addReferenceApp(context)
  // The demo adds it at every start.
  await addReferenceApp(context)
  // What was looked up holds for a while.
  expect(await page()).toBe(`<!doctype html><head>${demo}</head>`)
  const reads = { orgnr: formatOrgnr(company.orgnr), sources: { [sourceId]: 'Web & "shop"' } }
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + factsMsMax + 1)
  expect(await page()).toBe(
    `<!doctype html><head>${demo}<meta name="numera-demo-credential" content="${credential}" />` +
      `<meta name="numera-reference-app" content="${referenceClientId}" />` +
      `<meta name="numera-reference-reads" content="${escapeHtml(JSON.stringify(reads))}" /></head>`,
  )
  clock.mockRestore()
})

test('opened under another name of this machine, it leads to the address that its calls go to', async () => {
  const headers = { host: '127.0.0.1:8080', accept: 'text/html' }
  const answer = await app.inject({ url: '/docs/api?x=1', headers })
  expect([answer.statusCode, answer.headers['location']]).toEqual([307, `${base}/docs/api?x=1`])
  const own = await app.inject({ url: '/docs/api', headers: { ...headers, host: 'localhost:8080' } })
  expect(own.statusCode).toBe(200)
})

test('the reference accepts only its own app, at the rate of every app', async () => {
  const { company } = await seedCompany(context)
  await seedSource(context, company.companyId)
  const member = await seedMember(context, company.companyId, { role: 'reader' })
  await addReferenceApp(context)
  const own = await seedAppConnection(context, {
    app: {
      clientId: referenceClientId,
      clientName: '',
      redirectUris: [],
      redirectUri: `${base}/docs/api/callback`,
    },
    member,
  })
  const { accessToken } = await seedAppToken(context, own)
  const answer = await app.inject({
    url: '/v1/samples',
    headers: { authorization: `Bearer ${accessToken}`, 'x-numera-reference': '1' },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['ratelimit-remaining']).toBe('19')
})
