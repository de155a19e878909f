import { beforeEach, describe, expect, test } from 'vitest'
import {
  elin,
  iPhoneSafari,
  origin,
  startBankIdScene,
  tolvan,
} from '../../../../testing/in-process/scenes/bankid-scene.ts'
import type { OrderOrigin, Presentation, StartedOrder } from '../identity-provider.ts'
import { isAnsweredHere, isPublicAddress } from './answered-here.ts'
import { returnWaitMs } from './collect-order.ts'

/** An autostart token can be sent to another person, so it matters where an order was answered. */

const scene = await startBankIdScene()
const { standIn, bankid, context, database, collect, pass } = scene
const { phone } = standIn
beforeEach(scene.beginAnew)

const here: OrderOrigin = { ...origin, device: 'this' }
const onIphone: OrderOrigin = { ...here, userAgent: iPhoneSafari }
const elsewhere = { ...tolvan, ipAddress: '198.51.100.20', risk: 'low' } as const
const refused = { state: 'failed', reason: 'other_network' }
const awaiting = { state: 'pending', hint: 'awaitsReturn', presentation: {} }

const openApp = ({ presentation }: { presentation: Presentation }) =>
  phone.open(/autostarttoken=([\w-]+)/.exec(presentation.launchUrl!)![1]!)
const getCount = async (outcome: string): Promise<number> => {
  const { values } = await context.telemetry.bankIdOrders.get()
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
}
/** A sign-in in Safari on iOS that was answered elsewhere. */
const answeredElsewhere = async (): Promise<StartedOrder> => {
  const started = await bankid.startSignIn(onIphone)
  await openApp(started).sign(elsewhere)
  return started
}

describe('the device of an order', () => {
  test('an order for another device never shows the autostart token', async () => {
    const started = await bankid.startSignIn(origin)
    expect(Object.keys(started.presentation)).toEqual(['qrText'])
    const token = standIn.orders.autoStartToken(standIn.orders.all()[0]!.orderRef)
    const first = await collect(started.reference)
    await pass(31_000)
    const renewed = await collect(started.reference)
    const newest = standIn.orders.autoStartToken(standIn.orders.all()[0]!.orderRef)
    expect(newest).not.toBe(token)
    for (const progress of [first, renewed]) {
      if (progress.state !== 'pending') throw new Error(progress.state)
      expect(Object.keys(progress.presentation)).toEqual(['qrText'])
    }
    const { rows } = await database.pool.query('select * from bankid_orders')
    for (const secret of [token, newest]) {
      expect(JSON.stringify([started, first, renewed, rows, scene.logged])).not.toContain(secret)
    }
  })

  test('an order for this device shows no QR code, and BankID gets the return address', async () => {
    const started = await bankid.startSignIn(onIphone)
    expect(Object.keys(started.presentation)).toEqual(['launchUrl'])
    const progress = await collect(started.reference)
    expect(Object.keys(progress.state === 'pending' ? progress.presentation : {})).toEqual(['launchUrl'])
    expect(openApp(started).returnUrl).toBe(onIphone.returnUrl)
  })

  test('an order for another device gives BankID no return address', async () => {
    await bankid.startSignIn({ ...origin, userAgent: iPhoneSafari })
    expect(standIn.orders.all()[0]!.request).not.toHaveProperty('returnUrl')
  })

  test('an order for this device fails if no app was started within 30 seconds', async () => {
    const started = await bankid.startSignIn(here)
    expect(started.answerWithinMs).toBe(30_000)
    const begun = standIn.orders.all().length
    await pass(30_001)
    expect(await collect(started.reference)).toEqual({ state: 'failed', reason: 'startFailed' })
    expect(standIn.orders.all()).toHaveLength(begun)
  })
})

describe('a sign-in opened by its autostart token', () => {
  test('it signs no one in from another address', async () => {
    const before = await getCount('other_network')
    const started = await bankid.startSignIn(here)
    await openApp(started).sign(elsewhere)
    expect(await collect(started.reference)).toEqual(refused)
    expect(await collect(started.reference)).toEqual(refused)
    expect(await getCount('other_network')).toBe(before + 1)
  })

  test('it signs the person in from the same address', async () => {
    const started = await bankid.startSignIn(here)
    await openApp(started).sign({ ...tolvan, ipAddress: origin.endUserIp, risk: 'moderate' })
    expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('it signs in the browser that returns with the nonce, from any address', async () => {
    const before = await getCount('complete')
    const { reference } = await answeredElsewhere()
    expect(await collect(reference, true)).toMatchObject({ state: 'complete', person: tolvan })
    expect(await bankid.collect(reference)).toMatchObject({ state: 'complete', person: tolvan })
    expect(await getCount('complete')).toBe(before + 1)
  })

  test('it fails after 20 seconds without its nonce', async () => {
    const before = await getCount('other_network')
    const { reference } = await answeredElsewhere()
    expect(await collect(reference)).toEqual(awaiting)
    await pass(returnWaitMs)
    expect(await collect(reference, true)).toEqual(refused)
    expect(await collect(reference, true)).toEqual(refused)
    expect(await getCount('other_network')).toBe(before + 1)
  })

  test('it waits for its nonce in any process', async () => {
    const { reference } = await answeredElsewhere()
    const first = scene.openBankId()
    await pass(2_000)
    expect(await first.collect(reference)).toEqual(awaiting)
    await first[Symbol.asyncDispose]()
    await pass(returnWaitMs - 5_000)
    const second = scene.openBankId()
    expect(await second.collect(reference)).toEqual(awaiting)
    expect(await second.collect(reference, true)).toMatchObject({ state: 'complete', person: tolvan })
    // Every process fails the order now, for as long as results are stored.
    await pass(60_000)
    expect(await scene.openBankId().collect(reference)).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('it fails after 20 seconds without a poll, in another process too', async () => {
    const { reference } = await answeredElsewhere()
    await collect(reference)
    await pass(10 * 60_000)
    expect(await scene.openBankId().collect(reference, true)).toEqual(refused)
  })

  test('it stores the person sealed, and not at all once it has failed', async () => {
    const { reference } = await answeredElsewhere()
    await collect(reference)
    const row = async () =>
      (await database.pool.query('select * from bankid_orders where reference = $1', [reference])).rows[0]
    const waiting = await row()
    expect(waiting.content_sealed.includes(tolvan.personalNumber)).toBe(false)
    expect(JSON.stringify([waiting, scene.logged])).not.toContain(tolvan.personalNumber)
    await pass(returnWaitMs)
    await collect(reference)
    expect((await row()).content_sealed).toBeNull()
  })

  test('it has no nonce in a page that must stay open', async () => {
    const started = await bankid.startSignIn({ ...onIphone, keepsPage: true })
    const app = openApp(started)
    expect(started.presentation.launchUrl).toMatch(/&redirect=null$/)
    expect(app.returnUrl).toBeUndefined()
    await app.sign(elsewhere)
    expect(await collect(started.reference)).toEqual(refused)
  })

  test('it fails immediately at a high risk, with any answer', async () => {
    const started = await bankid.startSignIn(onIphone)
    await openApp(started).sign({ ...elsewhere, risk: 'high' })
    const reason = 'transactionRiskBlocked'
    expect(await collect(started.reference, true)).toEqual({ state: 'failed', reason })
  })

  test.each([
    ['a phone of IPv6, a page of IPv4', here.endUserIp, '2001:db8::1'],
    ['a phone of IPv4, a page of IPv6', '2001:db8::1', '198.51.100.20'],
  ])('it fails if the addresses cannot be compared, at any risk: %s', async (_which, page, app) => {
    for (const userAgent of [here.userAgent, iPhoneSafari]) {
      const started = await bankid.startSignIn({ ...here, endUserIp: page, userAgent })
      await openApp(started).sign({ ...tolvan, ipAddress: app, risk: 'low' })
      const opensPage = userAgent === iPhoneSafari
      expect(await collect(started.reference)).toEqual(opensPage ? awaiting : refused)
    }
  })
})

describe('an order from a private address', () => {
  test.each(['10.1.2.3', '127.0.0.1', '::ffff:192.168.0.1', '100.64.0.9', 'fd00::7', '::1', 'unix'])(
    'it is not begun for any device, and the log names the setting: %s',
    async (endUserIp) => {
      const before = await getCount('no_public_address')
      const begun = standIn.orders.all().length
      for (const device of ['this', 'other'] as const) {
        const { reference, presentation } = await bankid.startSignIn({ ...origin, endUserIp, device })
        expect(presentation).toEqual({})
        expect(await collect(reference)).toEqual({ state: 'failed', reason: 'no_public_address' })
      }
      expect(standIn.orders.all()).toHaveLength(begun)
      expect(scene.logged.join('')).toContain('NUMERA_TRUST_PROXY')
      expect(await getCount('no_public_address')).toBe(before + 2)
    },
  )

  test('it is begun if the service itself is only on this machine', async () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      const returnUrl = `http://${host}/bankid/return#nonce=${'N'.repeat(43)}`
      const started = await bankid.startSignIn({ ...here, endUserIp: '127.0.0.1', returnUrl })
      await openApp(started).sign(tolvan)
      expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
    }
  })
})

test('a scanned code signs in from any address', async () => {
  const started = await bankid.startSignIn(origin)
  await phone
    .scan(started.presentation.qrText!)
    .sign({ ...elin, ipAddress: '198.51.100.20', risk: 'moderate' })
  expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: elin })
})

describe('the report of where an order was answered', () => {
  test.each<[string, string, string, isHere: boolean]>([
    ['by equal addresses', '192.0.2.7', '192.0.2.7', true],
    ['by an IPv4 address that came in over IPv6', '::ffff:192.0.2.7', '192.0.2.7', true],
    ['by the same in its other form', '::FFFF:c000:207', '192.0.2.7', true],
    ['by one /64 of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['by one /64 in another form', '2001:0DB8:1:2:0:0:0:1', '2001:db8:1:2::9', true],
    ['not by a neighbour of IPv4', '192.0.2.7', '192.0.2.8', false],
    ['not by the next /64', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['not by IPv4 of a page and IPv6 of an app', '192.0.2.7', '2001:db8::1', false],
    ['not by IPv6 of a page and IPv4 of an app', '2001:db8::1', '192.0.2.7', false],
    ['not where no address is known', 'unix', '192.0.2.7', false],
    ['not where no address is known twice', 'unix', 'unix', false],
    ['not by an answer that has no address', '192.0.2.7', 'unknown', false],
  ])('%s', (_how, begun, answered, isHere) => {
    expect(isAnsweredHere(begun, answered)).toBe(isHere)
  })
})

test.each([
  ['192.0.2.7', true],
  ['::ffff:192.0.2.7', true],
  ['2001:db8::1', true],
  ['::ffff:10.0.0.1', false],
  ['172.31.255.1', false],
  ['169.254.1.1', false],
  ['fe80::1%eth0', false],
  ['', false],
])('the address %j is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})
