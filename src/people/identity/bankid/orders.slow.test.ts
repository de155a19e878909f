import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { tamperings, type Tampering } from '../../../../stand-ins/bankid/completion.ts'
import { databaseTimeMs } from '../../../platform/clock/database-time.ts'
import { toMasterKey } from '../../../platform/keys/master-key.ts'
import { iPhoneSafari, origin, tolvan } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import { deleteExpiredBankIdOrders } from '../expiry.ts'
import type { OrderProgress } from '../identity-provider.ts'
import { sealedBankIdOrders } from '../sealed-tables.ts'
import { openDeploymentKeys } from '../../../platform/keys/deployment-keys.ts'
import {
  recordSha256,
  toSign,
  getPresentation,
  getStartToken,
  startBankIdOrdersScene,
} from '../../../../testing/in-process/scenes/bankid-orders-scene.ts'

const { scene, standIn, phone, bankid, database, context, collect, pass, scan, getCalls, getLastCall, sign } =
  await startBankIdOrdersScene()

test('a person who scans the code is signed in', async () => {
  const started = await bankid.startSignIn(origin)
  expect(await collect(started.reference)).toMatchObject({
    state: 'pending',
    hint: 'outstandingTransaction',
  })
  const order = scan(started)
  expect(await collect(started.reference)).toEqual({ state: 'pending', hint: 'userSign', presentation: {} })
  await order.sign(tolvan)
  expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  expect(order.request).toMatchObject({
    endUserIp: '192.0.2.7',
    returnRisk: true,
    web: { referringDomain: 'numera.example.com', userAgent: origin.userAgent },
  })
  expect(order.request).not.toHaveProperty('requirement')
})

test('a text is signed on the same device with the record’s hash, by the requested person only', async () => {
  const started = await bankid.startSigning({ ...toSign, device: 'this', userAgent: iPhoneSafari })
  const order = phone.open(getStartToken(started.presentation))
  expect(order.visibleText).toBe(
    '## I sign.\n\nCompany: Ekeby Handel (556016\\-0680)\nIt may:\n+ read \\# \\* \\| \\+ \\\\ all',
  )
  expect(order).toMatchObject({ format: 'simpleMarkdownV1', returnUrl: origin.returnUrl })
  expect(order.nonVisibleData).toEqual(recordSha256)
  expect(order.request.requirement).toEqual({ personalNumber: tolvan.personalNumber })
  await order.sign({ ...tolvan, risk: 'moderate', ipAddress: '198.51.100.20' })
  const progress = await collect(started.reference)
  if (progress.state !== 'complete') throw new Error(progress.state)
  expect(progress.person).toEqual(tolvan)
  expect(JSON.parse(progress.evidence)).toMatchObject({
    bankid: '6.0',
    order_ref: order.orderRef,
    user: { ...tolvan, givenName: 'Tolvan', surname: 'Tolvansson' },
    // The network does not matter, since session and personal number identify the person.
    device: { ipAddress: '198.51.100.20' },
    risk: 'moderate',
    visible_text: order.visibleText,
    non_visible_data: recordSha256.toString('hex'),
  })
})

test('a result can be collected for some minutes, and BankID is called for it once', async () => {
  const { reference } = await sign()
  const first = await collect(reference)
  expect(first.state).toBe('complete')
  const before = getCalls('/collect').length
  await pass(4 * 60_000)
  expect(await scene.openBankId().collect(reference)).toEqual(first)
  expect(getCalls('/collect')).toHaveLength(before)
  await pass(2 * 60_000)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'expired' })
})

test('the person is stored sealed, and not at all once the order has failed', async () => {
  const { reference } = await bankid.startSigning(toSign)
  const row = async () =>
    (await database.pool.query('select * from bankid_orders where reference = $1', [reference])).rows[0]
  const pending = await row()
  expect(JSON.stringify(pending)).not.toMatch(/191212121212|192\.0\.2\.7/)
  expect(pending.content_sealed.includes('1912')).toBe(false)
  await bankid.cancel(reference)
  expect((await row()).content_sealed).toBeNull()
})

test('an order continues after its values were sealed with another master key', async () => {
  const started = await bankid.startSignIn(origin)
  const current = toMasterKey(Buffer.alloc(32, 9))
  const master = { current, previous: context.keys.master.current }
  await openDeploymentKeys(context, { ...master, from: 'the test' })
  expect(await sealedBankIdOrders.reseal({ pool: database.pool, keys: { master } })).toBeGreaterThan(0)
  const other = scene.openBankId({}, { ...context, keys: { ...context.keys, master: { current } } })
  expect(getPresentation(await other.collect(started.reference)).qrText).toMatch(/^bankid\./)
  // The other tests use the first key.
  await sealedBankIdOrders.reseal({
    pool: database.pool,
    keys: { master: { current: context.keys.master.current, previous: current } },
  })
})

test('an expired order is deleted', async () => {
  const { reference } = await bankid.startSignIn(origin)
  const count = async () =>
    (await database.pool.query('select from bankid_orders where reference = $1', [reference])).rowCount
  const nowMs = await databaseTimeMs(database.pool)
  await deleteExpiredBankIdOrders(database, nowMs)
  expect(await count()).toBe(1)
  await deleteExpiredBankIdOrders(database, nowMs + 11 * 60_000)
  expect(await count()).toBe(0)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'expired' })
})

test('a cancelled order is cancelled at BankID', async () => {
  const started = await bankid.startSignIn(origin)
  const order = scan(started)
  await bankid.cancel(started.reference)
  expect(getLastCall('/cancel')).toMatchObject({ orderRef: order.orderRef, status: 200 })
  expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'refused' })
  const calls = standIn.calls.length
  await bankid.cancel(started.reference)
  expect(standIn.calls).toHaveLength(calls)
})

test('a text that is too long for BankID is refused without a call', async () => {
  const calls = standIn.calls.length
  const tooLong = { ...toSign, visibleText: `I sign.\n${'å'.repeat(20_000)}` }
  await expect(bankid.startSigning(tooLong)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(/^The text is longer than BankID can show/),
  })
  expect(standIn.calls).toHaveLength(calls)
  const { presentation } = await bankid.startSigning({ ...toSign, visibleText: 'a'.repeat(29_996) })
  expect(presentation.qrText).toBeDefined()
})

test('a second order for a person ends both, and a third one succeeds', async () => {
  const first = await bankid.startSigning(toSign)
  const second = await bankid.startSigning(toSign)
  expect(second.presentation).toEqual({})
  expect(await collect(second.reference)).toEqual({ state: 'failed', reason: 'alreadyInProgress' })
  expect(await collect(first.reference)).toEqual({ state: 'failed', reason: 'cancelled' })
  expect((await collect((await sign()).reference)).state).toBe('complete')
})

const countExpired = async (): Promise<number> => {
  const { values } = await context.telemetry.bankIdOrders.get()
  return values.find(({ labels }) => labels.outcome === 'expired')?.value ?? 0
}

test('an order that is not polled for four minutes has expired', async () => {
  const before = await countExpired()
  const started = await bankid.startSignIn(origin)
  await scan(started).sign(tolvan)
  await pass(4 * 60_000)
  expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'expired' })
  expect(getLastCall('/collect')).toMatchObject({ status: 400, errorCode: 'invalidParameters' })
  expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'expired' })
  expect(await countExpired()).toBe(before + 1)
  expect(scene.logged.join('')).toContain('"code":"invalidParameters","why":"No such order"')
})

test('an order that BankID should know and does not is faulty, not expired', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(2 * 60_000)
  standIn.answerNextWith({ path: '/collect', status: 400, errorCode: 'invalidParameters' })
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'invalidParameters' })
})

const signIn = async (tamper?: Tampering): Promise<OrderProgress> => {
  const started = await bankid.startSignIn(origin)
  await scan(started).sign({ ...tolvan, ...(tamper === undefined ? {} : { tamper }) })
  return collect(started.reference)
}

describe('a completed order is refused if', () => {
  test.each(Object.entries(tamperings).map(([tamper, what]) => [what, tamper] as const))(
    '%s',
    async (_what, tamper) => {
      const earlier = await sign()
      expect((await collect(earlier.reference)).state).toBe('complete')
      const { reference } = await sign(tolvan, tamper as Tampering)
      expect(await collect(reference)).toMatchObject({ state: 'failed', reason: 'not_verified' })
      expect(await collect(reference)).toMatchObject({ state: 'failed', reason: 'not_verified' })
      expect(scene.logged).toHaveLength(1)
      expect(scene.logged[0]).not.toMatch(/\d{10}|Tolvan|[A-Za-z\d+/]{40}/)
    },
  )

  test('it belongs to an earlier sign-in', async () => {
    expect((await signIn()).state).toBe('complete')
    expect(await signIn('replay')).toEqual({ state: 'failed', reason: 'not_verified' })
  })

  test.each([
    ['high', 'failed'],
    ['moderate', 'complete'],
  ] as const)('BankID sees a high risk: a %s one is %s', async (risk, state) => {
    const started = await bankid.startSignIn(origin)
    await scan(started).sign({ ...tolvan, risk })
    const progress = await collect(started.reference)
    expect(progress.state).toBe(state)
    if (progress.state === 'failed') expect(progress.reason).toBe('transactionRiskBlocked')
    const { values } = await context.telemetry.bankIdRisk.get()
    expect(values.find(({ labels }) => labels.risk === risk)!.value).toBeGreaterThan(0)
  })

  test('its completion data is incomplete', async () => {
    const { reference } = await sign()
    standIn.answerNextWith({
      path: '/collect',
      body: { orderRef: getLastCall('/sign').orderRef, status: 'complete', completionData: { user: {} } },
    })
    expect(await collect(reference)).toEqual({ state: 'failed', reason: 'not_verified' })
  })
})

test('an order is collected at BankID at most once in two seconds, from any number of pages and processes', async () => {
  const processes = [bankid, scene.openBankId(), scene.openBankId()]
  const { reference } = await bankid.startSignIn(origin)
  const orderRef = getLastCall('/auth').orderRef
  const until = performance.now() + 4_800
  const page = async (process: typeof bankid): Promise<void> => {
    while (performance.now() < until) {
      expect((await process.collect(reference)).state).toBe('pending')
      await sleep(40)
    }
  }
  await Promise.all([...processes, ...processes].map(page))
  const times = getCalls('/collect').flatMap((call) => (call.orderRef === orderRef ? [call.atMs] : []))
  expect(times.length).toBeGreaterThanOrEqual(1)
  expect(times.length).toBeLessThanOrEqual(2)
  const gaps = times.slice(1).map((at, index) => at - times[index]!)
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1_990)
})
