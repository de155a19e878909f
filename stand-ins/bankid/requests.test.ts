import { Agent, request } from 'node:https'
import { describe, expect, test } from 'vitest'
import {
  anna,
  base64,
  begin,
  collect,
  createAgent,
  endUserIp,
  invalid,
  now,
  post,
  readAnswer,
  send,
  standIn,
  useStandIn,
} from './relying-party-client.ts'
import { startBankIdStandIn } from './start-bankid-stand-in.ts'

useStandIn()

const many = (characters: number): string => 'A'.repeat(characters)

describe('a request', () => {
  const noConnection = { code: expect.stringMatching(/^(ECONNRESET|EPIPE|ERR_SSL_)/) }

  test('without a certificate, or with one under another root, gets no connection', async () => {
    const none = new Agent({ ca: standIn.issuerPem })
    const stranger = createAgent(await standIn.createRelyingParty({ isStranger: true }))
    await expect(post('/auth', { endUserIp }, { agent: none })).rejects.toMatchObject(noConnection)
    await expect(post('/auth', { endUserIp }, { agent: stranger })).rejects.toMatchObject(noConnection)
  })

  test('with an expired certificate gets no connection', async () => {
    const ended = createAgent(await standIn.createRelyingParty({ notAfter: new Date(Date.now() - 1000) }))
    await expect(post('/auth', { endUserIp }, { agent: ended })).rejects.toMatchObject(noConnection)
  })

  test('of a relying party without access is unauthorized', async () => {
    const former = await standIn.createRelyingParty({ name: 'Former' })
    standIn.withdrawAccess(former)
    const other = createAgent(former)
    expect(await post('/auth', { endUserIp }, { agent: other })).toMatchObject({
      status: 401,
      body: { errorCode: 'unauthorized' },
    })
    other.destroy()
  })

  test.each([
    [404, 'notFound', '/elsewhere', {}],
    [405, 'methodNotAllowed', '/auth', { method: 'GET' }],
    [
      415,
      'unsupportedMediaType',
      '/auth',
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    [415, 'unsupportedMediaType', '/auth', { headers: { 'content-type': 'text/plain' } }],
    [400, 'invalidParameters', '/auth', { body: '{' }],
    [400, 'invalidParameters', '/auth', { body: `"${'x'.repeat(1_100_000)}"` }],
  ])('is answered %d %s', async (status, errorCode, path, options) => {
    const { body = '{} ', ...others } = options as { body?: string }
    expect(await send(path, body, others)).toMatchObject({ status, body: { errorCode } })
  })

  test.each([
    ['/auth', {}, 'endUserIp'],
    ['/auth', { endUserIp: 'localhost' }, 'endUserIp'],
    ['/auth', { personalNumber: anna.personalNumber }, 'personalNumber'],
    ['/sign', { endUserIp }, 'userVisibleData'],
    ['/sign', { endUserIp, userVisibleData: '' }, 'userVisibleData'],
    ['/sign', { endUserIp, userVisibleData: 'not base64' }, 'userVisibleData'],
    ['/sign', { endUserIp, userVisibleData: '_w==' }, 'userVisibleData'],
    ['/sign', { endUserIp, userVisibleData: '/w==' }, 'userVisibleData'],
    ['/sign', { endUserIp, userVisibleData: many(40_004) }, 'userVisibleData'],
    ['/auth', { endUserIp, userVisibleData: many(1_504) }, 'userVisibleData'],
    ['/auth', { endUserIp, userNonVisibleData: many(1_504) }, 'userNonVisibleData'],
    [
      '/sign',
      { endUserIp, userVisibleData: 'AAAA', userNonVisibleData: many(200_004) },
      'userNonVisibleData',
    ],
    ['/auth', { endUserIp, userVisibleDataFormat: 'html' }, 'userVisibleDataFormat'],
    ['/auth', { endUserIp, returnUrl: many(513) }, 'returnUrl'],
    ['/auth', { endUserIp, returnRisk: 'yes' }, 'returnRisk'],
    ['/auth', { endUserIp, web: {} }, 'web'],
    ['/auth', { endUserIp, web: { referringDomain: 'EXAMPLE.com' } }, 'referringDomain'],
    ['/auth', { endUserIp, web: { userAgent: many(257) } }, 'userAgent'],
    ['/auth', { endUserIp, web: { deviceIdentifier: many(65) } }, 'deviceIdentifier'],
    ['/auth', { endUserIp, web: { userAgent: 'a' }, app: { deviceOS: 'a' } }, 'app'],
    ['/auth', { endUserIp, requirement: { personalNumber: '9001069815' } }, 'personalNumber'],
    ['/auth', { endUserIp, requirement: { pinCode: 1 } }, 'pinCode'],
    ['/auth', { endUserIp, requirement: { certificatePolicies: ['1.2.*'] } }, 'certificatePolicies'],
    ['/auth', { endUserIp, requirement: { risk: 'high' } }, 'risk'],
    ['/collect', {}, 'orderRef'],
    ['/cancel', { orderRef: 1 }, 'orderRef'],
    ['/auth', [], 'body'],
    [
      '/auth',
      { endUserIp, userVisibleData: base64('+'), userVisibleDataFormat: 'simpleMarkdownV1' },
      'userVisibleData (line 1: a malformed heading or list item)',
    ],
  ])('of %s with %j is wrong in %s', async (path, body, field) => {
    expect(await post(path, body)).toEqual(invalid(`Invalid parameter: ${field}`))
  })

  test('that arrives too slowly is answered 408 requestTimeout', async () => {
    await using impatient = await startBankIdStandIn({ requestMsMax: 50 })
    const { pkcs12, passphrase } = impatient.relyingParty
    const call = request(`${impatient.url}/auth`, {
      pfx: pkcs12,
      passphrase,
      ca: impatient.issuerPem,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 3 },
    })
    call.write('{')
    expect(await readAnswer(call)).toMatchObject({ status: 408, body: { errorCode: 'requestTimeout' } })
  })

  test('with all members at their limits is accepted', async () => {
    await begin('/sign', {
      userVisibleData: many(40_000),
      userNonVisibleData: many(200_000),
      userVisibleDataFormat: 'plaintext',
      returnUrl: 'https://example.com/',
      returnRisk: true,
      web: { referringDomain: 'example.com', userAgent: 'Browser', deviceIdentifier: many(64) },
      requirement: {
        pinCode: true,
        mrtd: false,
        cardReader: 'class1',
        certificatePolicies: ['1.2.3.4.25'],
        personalNumber: anna.personalNumber,
        risk: 'moderate',
      },
    })
  })

  test('to collect within a second of the last one is refused, and the order stays pending', async () => {
    const { orderRef } = await begin()
    await collect(orderRef)
    expect(await post('/collect', { orderRef })).toMatchObject({
      status: 429,
      body: { errorCode: 'tooManyRequests' },
    })
    expect(standIn.calls.at(-1)).toMatchObject({ path: '/collect', orderRef, status: 429, isTooSoon: true })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending' })
    expect(standIn.calls.at(-1)).toMatchObject({ atMs: now(), status: 200, isTooSoon: false })
  })

  test('gets the forced answers, and then the usual ones', async () => {
    standIn.answerNextWith({ path: '/collect', status: 503, errorCode: 'maintenance' })
    standIn.answerNextWith({ path: '/collect', body: '<html>' })
    standIn.answerNextWith({ path: '/collect', hangUp: true })
    const { orderRef } = await begin()
    expect(await collect(orderRef)).toEqual({
      status: 503,
      body: { errorCode: 'maintenance', details: 'maintenance' },
    })
    await expect(collect(orderRef)).rejects.toThrow(SyntaxError)
    await expect(collect(orderRef)).rejects.toThrow(/hang up|ECONNRESET/)
    expect((await collect(orderRef)).status).toBe(200)
  })
})
