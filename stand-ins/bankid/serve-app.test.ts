import { Agent, request } from 'node:https'
import { request as plainRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveApp } from './serve-app.ts'
import { type BankIdStandIn, startBankIdStandIn } from './start-bankid-stand-in.ts'

/** The pages as a browser without scripts uses them. */

let standIn: BankIdStandIn
let app: Awaited<ReturnType<typeof serveApp>>
let agent: Agent
beforeAll(async () => {
  standIn = await startBankIdStandIn()
  app = await serveApp(standIn)
  const { pkcs12, passphrase } = standIn.relyingParty
  agent = new Agent({ pfx: pkcs12, passphrase, ca: standIn.issuerPem })
})
afterAll(async () => {
  agent.destroy()
  await app[Symbol.asyncDispose]()
  await standIn[Symbol.asyncDispose]()
})

const base64 = (words: string): string => Buffer.from(words).toString('base64')

const callBankId = async (path: string, body: object): Promise<unknown> => {
  const call = request(`${standIn.url}${path}`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return json(response)
}

const begin = async (more: object = {}): Promise<Record<'orderRef' | 'autoStartToken', string>> => {
  const visible = { userVisibleData: base64('<b>I sign</b> "this" & that.') }
  const begun = await callBankId('/sign', { endUserIp: '127.0.0.1', ...visible, ...more })
  return begun as Record<'orderRef' | 'autoStartToken', string>
}

const show = async (path: string): Promise<string> => (await fetch(`${app.url}${path}`)).text()

/** Sends a form and follows the redirect. */
const send = async (
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<{ status: number; html: string }> => {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  })
  return { status: response.status, html: await response.text() }
}

test('an order is scanned, read and signed, and its text is escaped', async () => {
  const { orderRef } = await begin({ requirement: { personalNumber: '191212121212' } })
  expect(await show('/')).toContain(`href="/orders/${orderRef}"`)
  const scanned = await send(`/orders/${orderRef}/scan`)
  expect(scanned.status).toBe(200)
  expect(scanned.html).toContain('&lt;b&gt;I sign&lt;/b&gt; &quot;this&quot; &amp; that.')
  expect(scanned.html).toContain('Only 191212121212 may answer')
  const signed = await send(`/orders/${orderRef}/sign`, { person: '191212121212' })
  expect(signed.html).toContain('<p>complete</p>')
  expect(standIn.orders.find(orderRef).status).toBe('complete')
})

test('an order that is opened on the same device leads back to the page', async () => {
  const { orderRef, autoStartToken } = await begin({ returnUrl: 'https://example.com/?a=1&b=2' })
  await send('/open', { text: `bankid:///?autostarttoken=${autoStartToken}&redirect=null` })
  const typed = { person: '', personal_number: '189001049817', name: 'Nils Exempelsson' }
  const { html } = await send(`/orders/${orderRef}/sign`, typed)
  expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2">')
})

test('the text of a QR code opens its order; an invalid one is refused with the reason', async () => {
  const { orderRef } = await begin()
  const { html } = await send('/scan', { text: ` ${standIn.orders.qrText(orderRef)}\n` })
  expect(html).toContain('pending, userSign')
  expect(await send('/scan', { text: 'https://example.com/' })).toMatchObject({
    status: 409,
    html: expect.stringContaining('This is not a BankID QR code.'),
  })
})

test('the hint of an order is set, an order is cancelled or failed, and impossible actions are refused', async () => {
  const [refused, failed] = [await begin(), await begin()]
  await send(`/orders/${refused.orderRef}/scan`)
  const hinted = await send(`/orders/${refused.orderRef}/hint`, { hint: 'userMrtd' })
  expect(hinted.html).toContain('pending, userMrtd')
  expect(hinted.html).not.toContain('/sign"')
  expect((await send(`/orders/${refused.orderRef}/refuse`)).html).toContain('failed, userCancel')
  expect((await send(`/orders/${failed.orderRef}/fail`, { hint: 'startFailed' })).html).toContain(
    'failed, startFailed',
  )
  expect(await send(`/orders/${failed.orderRef}/refuse`)).toMatchObject({
    status: 409,
    html: expect.stringContaining('role="alert"'),
  })
})

test('another person needs a number of twelve digits and a name', async () => {
  const { orderRef } = await begin()
  await send(`/orders/${orderRef}/scan`)
  const short = await send(`/orders/${orderRef}/sign`, { personal_number: '9001049817', name: 'Nils' })
  expect(short).toMatchObject({ status: 400, html: expect.stringContaining('twelve digits') })
  const nameless = await send(`/orders/${orderRef}/sign`, { personal_number: '189001049817', name: ' ' })
  expect(nameless).toMatchObject({ status: 400, html: expect.stringContaining('Enter a name') })
  expect(standIn.orders.find(orderRef).status).toBe('pending')
})

test('the address of a phone on another network must be an IP address', async () => {
  const { orderRef } = await begin()
  await send(`/orders/${orderRef}/scan`)
  const person = '191212121212'
  const none = await send(`/orders/${orderRef}/sign`, { person, ip_address: '198.51.100' })
  expect(none).toMatchObject({ status: 400, html: expect.stringContaining('Enter an IP address.') })
  const signed = await send(`/orders/${orderRef}/sign`, { person, ip_address: ' 198.51.100.20 ' })
  expect(signed.html).toContain('<p>complete</p>')
  expect(await callBankId('/collect', { orderRef })).toMatchObject({
    completionData: { device: { ipAddress: '198.51.100.20' } },
  })
})

test('forms from other sites and rebound host names are refused', async () => {
  const { orderRef } = await begin()
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }, {}]) {
    expect((await send(`/orders/${orderRef}/scan`, {}, headers as Record<string, string>)).status).toBe(403)
  }
  const rebound = plainRequest(app.url, { headers: { host: 'evil.example:80' } }).end()
  const [response] = (await once(rebound, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(421)
  expect(standIn.orders.find(orderRef).startedBy).toBeUndefined()
})

test('an unknown page is 404, and no page loads or runs anything', async () => {
  const responses = await Promise.all(
    ['/elsewhere', '/orders/none', '/start'].map((path) => fetch(`${app.url}${path}`)),
  )
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 200])
  for (const { headers } of responses) {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await send('/scan', { text: 'x'.repeat(20_000) })).status).toBe(413)
})
