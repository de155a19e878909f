import { createHash, verify, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tamperings, type Tampering } from './completion.ts'
import { qrTextAt } from './qr-text.ts'
import { type BankIdStandIn, type RelyingParty, startBankIdStandIn } from './start-bankid-stand-in.ts'

/** The rules of BankID's relying-party API, as a relying party meets them. */

const anna = { personalNumber: '189001069815', name: 'Anna Maria Svensson' }
const endUserIp = '127.0.0.1'
const base64 = (words: string): string => Buffer.from(words).toString('base64')

let nowMs = Date.now()
let standIn: BankIdStandIn
let agent: Agent
const pass = (seconds: number): void => void (nowMs += seconds * 1000)

beforeAll(async () => {
  standIn = await startBankIdStandIn({ now: () => nowMs })
  agent = agentOf(standIn.relyingParty)
})
afterAll(async () => {
  agent.destroy()
  await standIn[Symbol.asyncDispose]()
})
beforeEach(() => {
  standIn.answerAsUsual()
  // What a test left pending is over.
  pass(1000)
})

const agentOf = ({ pkcs12, passphrase }: RelyingParty): Agent =>
  new Agent({ pfx: pkcs12, passphrase, ca: standIn.issuerPem, keepAlive: true })

interface Answered {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- what is answered is read by its test
  body: any
}

const answerOf = async (call: ClientRequest): Promise<Answered> => {
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const answered = await text(response)
  return { status: response.statusCode!, body: answered === '' ? undefined : JSON.parse(answered) }
}

const send = (path: string, body: string, options: RequestOptions = {}): Promise<Answered> => {
  const call = request(`${standIn.url}${path}`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    ...options,
  })
  call.end(body)
  return answerOf(call)
}

const post = (path: string, body: unknown, options: RequestOptions = {}): Promise<Answered> =>
  send(path, JSON.stringify(body), options)

const begin = async (path: '/auth' | '/sign' = '/auth', more: object = {}): Promise<Answered['body']> => {
  const visible = path === '/sign' ? { userVisibleData: base64('I sign.') } : {}
  const { status, body } = await post(path, { endUserIp, ...visible, ...more })
  expect(status).toBe(200)
  return body
}

/** As a relying party does it: two seconds after the last time. */
const collect = (orderRef: string, options: RequestOptions = {}): Promise<Answered> => {
  pass(2)
  return post('/collect', { orderRef }, options)
}

const scan = (orderRef: string): ReturnType<BankIdStandIn['phone']['scan']> =>
  standIn.phone.scan(standIn.orders.qrText(orderRef))

const many = (characters: number): string => 'A'.repeat(characters)

const invalid = (details: string): Answered => ({
  status: 400,
  body: { errorCode: 'invalidParameters', details },
})

describe('an order', () => {
  test('waits for an app, then for the person, and completes once', async () => {
    const { orderRef } = await begin('/sign', { userNonVisibleData: base64('hash') })
    expect((await collect(orderRef)).body).toEqual({
      orderRef,
      status: 'pending',
      hintCode: 'outstandingTransaction',
    })
    const phone = scan(orderRef)
    expect(phone).toMatchObject({ kind: 'sign', relyingPartyName: 'Numera', visibleText: 'I sign.' })
    expect((await collect(orderRef)).body).toEqual({ orderRef, status: 'pending', hintCode: 'userSign' })
    await phone.sign(anna)
    const { status, body } = await collect(orderRef)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'complete',
      completionData: {
        user: { ...anna, givenName: 'Anna Maria', surname: 'Svensson' },
        device: { ipAddress: endUserIp },
        bankIdIssueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    })
    expect(body).not.toHaveProperty('hintCode')
    expect(body.completionData).not.toHaveProperty('risk')
    expect(await collect(orderRef)).toEqual(invalid('The order cannot be collected twice'))
  })

  test('that no app takes within 30 seconds has failed with startFailed', async () => {
    const { orderRef } = await begin()
    pass(27)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending' })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'startFailed' })
    expect(await collect(orderRef)).toEqual(invalid('The order cannot be collected twice'))
  })

  test('that the person leaves has failed with expiredTransaction', async () => {
    const { orderRef } = await begin()
    scan(orderRef)
    pass(180)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'expiredTransaction' })
  })

  test.each([
    ['complete', 180],
    ['failed', 300],
    ['not started', 190 + 30],
  ])('that is %s can be collected for %d seconds', async (end, seconds) => {
    const [kept, lost] = [await begin(), await begin()]
    for (const { orderRef } of [kept, lost]) {
      if (end === 'complete') await scan(orderRef).sign(anna)
      if (end === 'failed') scan(orderRef).refuse()
    }
    pass(seconds - 2)
    expect((await collect(kept.orderRef)).status).toBe(200)
    expect(await collect(lost.orderRef)).toEqual(invalid('No such order'))
  })

  test('that is refused has failed with userCancel, and one that fails with what it is told', async () => {
    const [refused, failed] = [await begin(), await begin()]
    scan(refused.orderRef).refuse()
    scan(failed.orderRef).failWith('certificateErr')
    expect((await collect(refused.orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'userCancel' })
    expect((await collect(failed.orderRef)).body).toMatchObject({
      status: 'failed',
      hintCode: 'certificateErr',
    })
  })

  test('never goes back, nor on when it is over', async () => {
    const { orderRef } = await begin()
    const order = standIn.orders.find(orderRef)
    await expect(order.sign(anna)).rejects.toThrow('the order is at outstandingTransaction')
    expect(() => order.setHint('userSign')).toThrow('No app has the order yet')
    order.setHint('noClient')
    scan(orderRef)
    expect(() => order.setHint('outstandingTransaction')).toThrow('An app has the order already')
    order.setHint('userMrtd')
    expect((await collect(orderRef)).body).toMatchObject({ hintCode: 'userMrtd' })
    await expect(order.sign(anna)).rejects.toThrow('the order is at userMrtd')
    order.setHint('userSign')
    await order.sign(anna)
    expect(() => order.refuse()).toThrow('over')
    await expect(order.sign(anna)).rejects.toThrow('over')
  })

  test('is given up by cancel, once', async () => {
    const { orderRef } = await begin()
    expect(await post('/cancel', { orderRef })).toEqual({ status: 200, body: {} })
    expect((await post('/cancel', { orderRef })).body).toMatchObject({ errorCode: 'invalidParameters' })
    expect((await collect(orderRef)).body).toMatchObject({ errorCode: 'invalidParameters' })
  })

  test('that is over cannot be cancelled', async () => {
    const { orderRef } = await begin()
    await scan(orderRef).sign(anna)
    expect(await post('/cancel', { orderRef })).toEqual(invalid('The order is over'))
    expect((await collect(orderRef)).body).toMatchObject({ status: 'complete' })
  })

  test('is nobody else’s', async () => {
    const { orderRef } = await begin()
    const other = agentOf(await standIn.makeRelyingParty({ name: 'Somebody else' }))
    expect(await collect(orderRef, { agent: other })).toEqual(invalid('No such order'))
    expect(await post('/cancel', { orderRef }, { agent: other })).toEqual(invalid('No such order'))
    other.destroy()
    expect((await collect(orderRef)).status).toBe(200)
  })

  test('for a person with an order makes none, and ends that one', async () => {
    const requirement = { personalNumber: anna.personalNumber }
    const { orderRef } = await begin('/sign', { requirement })
    const second = await post('/auth', { endUserIp, requirement })
    expect(second).toMatchObject({ status: 400, body: { errorCode: 'alreadyInProgress' } })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'cancelled' })
    await begin('/auth', { requirement })
  })

  test('asked of one person fails when another signs', async () => {
    const { orderRef } = await begin('/auth', { requirement: { personalNumber: '189001029819' } })
    await scan(orderRef).sign(anna)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'certificateErr' })
  })

  test('finds no BankID where the relying party takes other ones', async () => {
    const { orderRef } = await begin('/auth', { requirement: { certificatePolicies: ['1.2.3.4.10'] } })
    scan(orderRef)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending', hintCode: 'started' })
    const wide = await begin('/auth', { requirement: { certificatePolicies: ['1.2.3.4.*'] } })
    scan(wide.orderRef)
    expect((await collect(wide.orderRef)).body).toMatchObject({ hintCode: 'userSign' })
  })

  test('is blocked above the risk that is taken, and tells the risk where it is asked for', async () => {
    const [blocked, told] = [
      await begin('/auth', { requirement: { risk: 'LOW' } }),
      await begin('/auth', { returnRisk: true }),
    ]
    await scan(blocked.orderRef).sign({ ...anna, risk: 'moderate' })
    await scan(told.orderRef).sign({ ...anna, risk: 'high' })
    expect((await collect(blocked.orderRef)).body).toMatchObject({
      status: 'failed',
      hintCode: 'transactionRiskBlocked',
    })
    expect((await collect(told.orderRef)).body.completionData.risk).toBe('high')
  })

  test('leads back to the page only where it was started on the same device', async () => {
    const returnUrl = 'https://example.com/sign-in#nonce=1'
    const [here, there] = [await begin('/auth', { returnUrl }), await begin('/auth', { returnUrl })]
    expect(standIn.phone.open(here.autoStartToken).returnUrl).toBe(returnUrl)
    expect(scan(there.orderRef).returnUrl).toBeUndefined()
    expect(() => standIn.phone.open(here.autoStartToken)).toThrow('has this order already')
  })
})

describe('a QR code', () => {
  const source = {
    qrStartToken: '67df3917-fa0d-44e5-b327-edcc928297f8',
    qrStartSecret: 'd28db9a7-4cde-429e-a983-359be676944c',
  }

  test.each([
    [0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
    [1, '949d559bf23403952a94d103e67743126381eda00f0b3cbddbf7c96b1adcbce2'],
    [2, 'a9e5ec59cb4eee4ef4117150abc58fad7a85439a6a96ccbecc3668b41795b3f3'],
  ])('of second %d is that of the published example', (second, code) => {
    expect(qrTextAt(source, second)).toBe(`bankid.${source.qrStartToken}.${second}.${code}`)
  })

  test('is taken within a few seconds, and not before its time', async () => {
    const order = await begin()
    pass(10)
    expect(() => standIn.phone.scan(qrTextAt(order, 4))).toThrow('6 s old')
    expect(() => standIn.phone.scan(qrTextAt(order, 12))).toThrow('2 s ahead')
    expect(standIn.phone.scan(qrTextAt(order, 5)).hintCode).toBe('userSign')
    expect(() => standIn.phone.scan(qrTextAt(order, 10))).toThrow('has this order already')
  })

  test('of another secret, another token or another form is refused', async () => {
    const order = await begin()
    expect(() => standIn.phone.scan(qrTextAt({ ...order, qrStartSecret: 'x' }, 0))).toThrow('does not hold')
    expect(() => standIn.phone.scan(qrTextAt(source, 0))).toThrow('there was none')
    expect(() => standIn.phone.scan(qrTextAt(order, 0).toUpperCase())).toThrow('no QR code')
  })
})

describe('a request', () => {
  const noConnection = { code: expect.stringMatching(/^(ECONNRESET|EPIPE|ERR_SSL_)/) }

  test('without a certificate, or with one of another root, gets no connection', async () => {
    const none = new Agent({ ca: standIn.issuerPem })
    const stranger = agentOf(await standIn.makeRelyingParty({ isStranger: true }))
    await expect(post('/auth', { endUserIp }, { agent: none })).rejects.toMatchObject(noConnection)
    await expect(post('/auth', { endUserIp }, { agent: stranger })).rejects.toMatchObject(noConnection)
  })

  test('with a certificate that ended gets no connection', async () => {
    const ended = agentOf(await standIn.makeRelyingParty({ notAfter: new Date(Date.now() - 1000) }))
    await expect(post('/auth', { endUserIp }, { agent: ended })).rejects.toMatchObject(noConnection)
  })

  test('of a relying party without access is unauthorized', async () => {
    const former = await standIn.makeRelyingParty({ name: 'Former' })
    standIn.withdrawAccess(former)
    const other = agentOf(former)
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
  ])('of %s with %j is wrong in %s', async (path, body, field) => {
    expect(await post(path, body)).toEqual(invalid(`Invalid parameter: ${field}`))
  })

  test('that takes too long to arrive is answered 408 requestTimeout', async () => {
    await using hasty = await startBankIdStandIn({ requestMsMax: 50 })
    const { pkcs12, passphrase } = hasty.relyingParty
    const call = request(`${hasty.url}/auth`, {
      pfx: pkcs12,
      passphrase,
      ca: hasty.issuerPem,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 3 },
    })
    call.write('{')
    expect(await answerOf(call)).toMatchObject({ status: 408, body: { errorCode: 'requestTimeout' } })
  })

  test('with all that it may hold is taken', async () => {
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

  test('to collect sooner than a second after the last is refused, and the order goes on', async () => {
    const { orderRef } = await begin()
    await collect(orderRef)
    expect(await post('/collect', { orderRef })).toMatchObject({
      status: 429,
      body: { errorCode: 'tooManyRequests' },
    })
    expect(standIn.calls.at(-1)).toMatchObject({ path: '/collect', orderRef, status: 429, isTooSoon: true })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending' })
    expect(standIn.calls.at(-1)).toMatchObject({ atMs: nowMs, status: 200, isTooSoon: false })
  })

  test('is answered as the stand-in is told, and as usual afterwards', async () => {
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

describe('simple Markdown', () => {
  const format = 'simpleMarkdownV1'
  test.each([
    '# Heading\n## Two\r\n### Three\rText, *bold* and å\n---\n+ item\n+ item\n\n+1 one\n+20 two',
    '|*What*|How much|\n|:-|-:|\n|a|1|\n|b|2|',
    'A \\* and \\# and \\| and \\\\ and \\+ and \\-',
    'a - b, c + d, 100 # e',
  ])('%j is taken', async (words) => {
    await begin('/auth', { userVisibleData: base64(words), userVisibleDataFormat: format })
  })

  test.each([
    ['#### Four', 'line 1: no heading and no item of a list'],
    ['#No space', 'line 1: no heading and no item of a list'],
    ['text\n# ', 'line 2: no heading and no item of a list'],
    ['+', 'line 1: no heading and no item of a list'],
    ['+100 too many', 'line 1: no heading and no item of a list'],
    ['an *open bold', 'line 1: bold that does not end, or has space inside'],
    ['a * star', 'line 1: bold that does not end, or has space inside'],
    ['* bold*', 'line 1: bold that does not end, or has space inside'],
    ['a \\n', 'line 1: a backslash before what needs none'],
    ['|a|b|\n|-|-|\n|1|', 'line 4: the table above it is none'],
    ['|a|b|', 'line 2: the table above it is none'],
    ['|a|b|c|d|e|f|\n|-|-|-|-|-|-|', 'line 3: the table above it is none'],
    ['|a |b|\n|-|-|', 'line 3: the table above it is none'],
    ['a \u{1f600}', 'a character that may not stand there'],
    ['a \u0007', 'a character that may not stand there'],
  ])('%j is refused: %s', async (words, fault) => {
    const asked = { endUserIp, userVisibleData: base64(words), userVisibleDataFormat: format }
    expect(await post('/auth', asked)).toEqual(invalid(`Invalid parameter: userVisibleData (${fault})`))
  })
})

/** The elements as they stand: the document is in canonical form. */
const element = (xml: string, name: string): string => new RegExp(`<${name}[ >][^]*?</${name}>`).exec(xml)![0]
const complete = async (tamper?: Tampering): Promise<Answered['body']> => {
  const { orderRef } = await begin('/sign', { userNonVisibleData: base64('hash') })
  await scan(orderRef).sign({ ...anna, ...(tamper === undefined ? {} : { tamper }) })
  const { body } = await collect(orderRef)
  expect(body.orderRef === orderRef).toBe(tamper !== 'other-order')
  return body.completionData
}

describe('a completed order', () => {
  test('is signed by the person over the text and what else was sent, under the root', async () => {
    const { signature } = await complete()
    const xml = Buffer.from(signature, 'base64').toString()
    expect([...xml.matchAll(/<Reference (.*?)>/g)].map(([, attributes]) => attributes)).toEqual([
      'Type="http://www.bankid.com/signature/v1.0.0/types" URI="#bidSignedData"',
      'URI="#bidKeyInfo"',
    ])
    const parts = ['bankIdSignedData', 'KeyInfo'].map((name) => element(xml, name))
    const digests = parts.map((part) => createHash('sha256').update(part).digest('base64'))
    expect([...xml.matchAll(/<DigestValue>(.*?)</g)].map(([, digest]) => digest)).toEqual(digests)
    const chain = [...xml.matchAll(/<X509Certificate>(.*?)</g)].map(
      ([, der]) => new X509Certificate(Buffer.from(der!, 'base64')),
    )
    const value = /<SignatureValue>(.*?)</.exec(xml)![1]!
    const signedInfo = Buffer.from(element(xml, 'SignedInfo'))
    expect(verify('sha256', signedInfo, chain[0]!.publicKey, Buffer.from(value, 'base64'))).toBe(true)
    const root = new X509Certificate(standIn.rootsPem)
    for (const [index, certificate] of chain.entries()) {
      const issuer = chain[index + 1] ?? root
      expect(certificate.checkIssued(issuer)).toBe(true)
      expect(certificate.verify(issuer.publicKey)).toBe(true)
    }
    expect(chain[0]!.subject).toContain(`serialNumber=${anna.personalNumber}`)
    expect(parts[0]).toContain(`visible="wysiwys">${base64('I sign.')}</usrVisibleData>`)
    expect(parts[0]).toContain(`<usrNonVisibleData>${base64('hash')}</usrNonVisibleData>`)
    expect(parts[0]).toMatch(/ Id="bidSignedData">/)
    expect(parts[1]).toMatch(/ Id="bidKeyInfo">/)
    expect(parts[0]).toContain('<funcId>Signing</funcId>')
  })

  test('has an OCSP answer of its signature', async () => {
    const { signature, ocspResponse } = await complete()
    const nonce = createHash('sha1').update(signature).digest('hex')
    expect(Buffer.from(ocspResponse, 'base64').toString('hex')).toContain(`0420${nonce}`)
  })

  test.each(Object.keys(tamperings) as Tampering[])('can be wrong: %s', async (tamper) => {
    const whole = await complete()
    const { user, signature, ocspResponse } = await complete(tamper)
    const isReplayed = signature === whole.signature && ocspResponse === whole.ocspResponse
    expect(isReplayed).toBe(tamper === 'replay')
    expect(user.personalNumber === anna.personalNumber).toBe(tamper !== 'asked-person')
  })
})
