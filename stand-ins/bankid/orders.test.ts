import { describe, expect, test } from 'vitest'
import { toQrText } from './qr-text.ts'
import {
  anna,
  base64,
  begin,
  collect,
  createAgent,
  endUserIp,
  invalid,
  pass,
  post,
  scan,
  standIn,
  useStandIn,
} from './relying-party-client.ts'

useStandIn()

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

  test('that no app opens within 30 seconds has failed with startFailed', async () => {
    const { orderRef } = await begin()
    pass(27)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending' })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'startFailed' })
    expect(await collect(orderRef)).toEqual(invalid('The order cannot be collected twice'))
  })

  test('that the person leaves open has failed with expiredTransaction', async () => {
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

  test('that the person cancels has failed with userCancel, and a failed one has its hint', async () => {
    const [refused, failed] = [await begin(), await begin()]
    scan(refused.orderRef).refuse()
    scan(failed.orderRef).failWith('certificateErr')
    expect((await collect(refused.orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'userCancel' })
    expect((await collect(failed.orderRef)).body).toMatchObject({
      status: 'failed',
      hintCode: 'certificateErr',
    })
  })

  test('never returns to an earlier state, and does not change once it is over', async () => {
    const { orderRef } = await begin()
    const order = standIn.orders.find(orderRef)
    await expect(order.sign(anna)).rejects.toThrow('this one is at outstandingTransaction')
    expect(() => order.setHint('userSign')).toThrow('No app has the order yet')
    order.setHint('noClient')
    scan(orderRef)
    expect(() => order.setHint('outstandingTransaction')).toThrow('An app has the order already')
    order.setHint('userMrtd')
    expect((await collect(orderRef)).body).toMatchObject({ hintCode: 'userMrtd' })
    await expect(order.sign(anna)).rejects.toThrow('this one is at userMrtd')
    order.setHint('userSign')
    await order.sign(anna)
    expect(() => order.refuse()).toThrow('over')
    await expect(order.sign(anna)).rejects.toThrow('over')
  })

  test('can be cancelled once', async () => {
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

  test('is unknown to another relying party', async () => {
    const { orderRef } = await begin()
    const other = createAgent(await standIn.createRelyingParty({ name: 'Another' }))
    expect(await collect(orderRef, { agent: other })).toEqual(invalid('No such order'))
    expect(await post('/cancel', { orderRef }, { agent: other })).toEqual(invalid('No such order'))
    other.destroy()
    expect((await collect(orderRef)).status).toBe(200)
  })

  test('for a person with a pending order is refused, and the pending one fails', async () => {
    const requirement = { personalNumber: anna.personalNumber }
    const { orderRef } = await begin('/sign', { requirement })
    const second = await post('/auth', { endUserIp, requirement })
    expect(second).toMatchObject({ status: 400, body: { errorCode: 'alreadyInProgress' } })
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'cancelled' })
    await begin('/auth', { requirement })
  })

  test('that requires one person fails when another signs', async () => {
    const { orderRef } = await begin('/auth', { requirement: { personalNumber: '189001029819' } })
    await scan(orderRef).sign(anna)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'failed', hintCode: 'certificateErr' })
  })

  test('finds no BankID where the relying party accepts only others', async () => {
    const { orderRef } = await begin('/auth', { requirement: { certificatePolicies: ['1.2.3.4.10'] } })
    scan(orderRef)
    expect((await collect(orderRef)).body).toMatchObject({ status: 'pending', hintCode: 'started' })
    const wide = await begin('/auth', { requirement: { certificatePolicies: ['1.2.3.4.*'] } })
    scan(wide.orderRef)
    expect((await collect(wide.orderRef)).body).toMatchObject({ hintCode: 'userSign' })
  })

  test('is blocked above the accepted risk, and returns the risk on request', async () => {
    const [blocked, reported] = [
      await begin('/auth', { requirement: { risk: 'LOW' } }),
      await begin('/auth', { returnRisk: true }),
    ]
    await scan(blocked.orderRef).sign({ ...anna, risk: 'moderate' })
    await scan(reported.orderRef).sign({ ...anna, risk: 'high' })
    expect((await collect(blocked.orderRef)).body).toMatchObject({
      status: 'failed',
      hintCode: 'transactionRiskBlocked',
    })
    expect((await collect(reported.orderRef)).body.completionData.risk).toBe('high')
  })

  test('returns to the page only if it was started on the same device', async () => {
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
    expect(toQrText(source, second)).toBe(`bankid.${source.qrStartToken}.${second}.${code}`)
  })

  test('is accepted within a few seconds, and not ahead of time', async () => {
    const order = await begin()
    pass(10)
    expect(() => standIn.phone.scan(toQrText(order, 4))).toThrow('6 s old')
    expect(() => standIn.phone.scan(toQrText(order, 12))).toThrow('2 s ahead')
    expect(standIn.phone.scan(toQrText(order, 5)).hintCode).toBe('userSign')
    expect(() => standIn.phone.scan(toQrText(order, 10))).toThrow('has this order already')
  })

  test('with another secret, token or format is refused', async () => {
    const order = await begin()
    expect(() => standIn.phone.scan(toQrText({ ...order, qrStartSecret: 'x' }, 0))).toThrow('not signed with')
    expect(() => standIn.phone.scan(toQrText(source, 0))).toThrow('there was none')
    expect(() => standIn.phone.scan(toQrText(order, 0).toUpperCase())).toThrow('not a BankID QR code')
  })
})
