import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PhoneOrder } from '../../../../stand-ins/bankid/orders.ts'
import { tamperings, type Tampering } from '../../../../stand-ins/bankid/completion.ts'
import { databaseTimeMs } from '../../../platform/clock/database-time.ts'
import { createPool, endPool } from '../../../platform/database/pool.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { createBreakableDatabase } from '../../../../testing/faults/breakable-database.ts'
import { toMasterKey } from '../../../platform/keys/master-key.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { collectBankIdOrder, storeMsMax } from './collect-order.ts'
import { stopWaitMs } from './open-bankid.ts'
import { bankIdBeginConnectionsMax, bankIdConnectionsMax } from './client.ts'
import {
  elin,
  iPhoneSafari,
  origin,
  startBankIdScene,
  tolvan,
} from '../../../../testing/in-process/bankid-scene.ts'
import { deleteExpiredBankIdOrders } from '../expiry.ts'
import type { OrderProgress, Presentation, StartedOrder } from '../identity-provider.ts'
import { sealedBankIdOrders } from '../sealed-tables.ts'
import { startSignIn } from '../sign-in.ts'
import { openDeploymentKeys } from '../../../platform/keys/deployment-keys.ts'

const scene = await startBankIdScene()
const { standIn, bankid, database, context, collect, pass } = scene
const { phone } = standIn

beforeEach(scene.beginAnew)

const record = '{"type":"test"}'
const recordSha256 = createHash('sha256').update(record).digest()
const visibleText = 'I sign.\n\nCompany: Ekeby Handel (556016-0680)\nIt may:\n- read # * | + \\ all'
const toSign = { ...origin, visibleText, recordSha256, personalNumber: tolvan.personalNumber }

const presentationOf = (progress: OrderProgress): Presentation => {
  if (progress.state !== 'pending') throw new Error(`the order is ${progress.state}`)
  return progress.presentation
}
const tokenOf = ({ launchUrl }: Presentation): string => /autostarttoken=([\w-]+)/.exec(launchUrl!)![1]!
const scan = (started: { presentation: Presentation }) => phone.scan(started.presentation.qrText!)
const callsOf = (path: string) => standIn.calls.filter((call) => call.path === path)
const lastOf = (path: string) => callsOf(path).at(-1)!
const signIn = async (tamper?: Tampering): Promise<OrderProgress> => {
  const started = await bankid.startSignIn(origin)
  await scan(started).sign({ ...tolvan, ...(tamper === undefined ? {} : { tamper }) })
  return collect(started.reference)
}
const sign = async (person = tolvan, tamper?: Tampering): Promise<StartedOrder> => {
  const started = await bankid.startSigning(toSign)
  await scan(started).sign({ ...person, ...(tamper === undefined ? {} : { tamper }) })
  return started
}

describe('An order', () => {
  test('signs a person in who scans the code', async () => {
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

  test('has a text signed on the same device, with the record’s hash, by the requested person only', async () => {
    const started = await bankid.startSigning({ ...toSign, device: 'this', userAgent: iPhoneSafari })
    const order = phone.open(tokenOf(started.presentation))
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
      // Another network does not matter: the session and the personal number say whose it is.
      device: { ipAddress: '198.51.100.20' },
      risk: 'moderate',
      visible_text: order.visibleText,
      non_visible_data: recordSha256.toString('hex'),
    })
  })

  test('gives its result for some minutes, and BankID is asked for it once', async () => {
    const { reference } = await sign()
    const first = await collect(reference)
    expect(first.state).toBe('complete')
    const asked = callsOf('/collect').length
    await pass(4 * 60_000)
    expect(await scene.openBankId().collect(reference)).toEqual(first)
    expect(callsOf('/collect')).toHaveLength(asked)
    await pass(2 * 60_000)
    expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'expired' })
  })

  test('shows nothing of the person to who reads the database, and nothing at all once it has failed', async () => {
    const { reference } = await bankid.startSigning(toSign)
    const row = async () =>
      (await database.pool.query('select * from bankid_orders where reference = $1', [reference])).rows[0]
    const pending = await row()
    expect(JSON.stringify(pending)).not.toMatch(/191212121212|192\.0\.2\.7/)
    expect(pending.content_sealed.includes('1912')).toBe(false)
    await bankid.cancel(reference)
    expect((await row()).content_sealed).toBeNull()
  })

  test('continues after its values were sealed under another master key', async () => {
    const started = await bankid.startSignIn(origin)
    const current = toMasterKey(Buffer.alloc(32, 9))
    const master = { current, previous: context.keys.master.current }
    await openDeploymentKeys(context, { ...master, from: 'the test' })
    expect(await sealedBankIdOrders.reseal({ pool: database.pool, keys: { master } })).toBeGreaterThan(0)
    const other = scene.openBankId({}, { ...context, keys: { ...context.keys, master: { current } } })
    expect(presentationOf(await other.collect(started.reference)).qrText).toMatch(/^bankid\./)
    // The other tests use the first key.
    await sealedBankIdOrders.reseal({
      pool: database.pool,
      keys: { master: { current: context.keys.master.current, previous: current } },
    })
  })

  test('is deleted once it has expired', async () => {
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

  test('that the person gives up is cancelled at BankID', async () => {
    const started = await bankid.startSignIn(origin)
    const order = scan(started)
    await bankid.cancel(started.reference)
    expect(lastOf('/cancel')).toMatchObject({ orderRef: order.orderRef, status: 200 })
    expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'refused' })
    const calls = standIn.calls.length
    await bankid.cancel(started.reference)
    expect(standIn.calls).toHaveLength(calls)
  })

  test('of a text that is longer than BankID shows is refused before BankID is asked', async () => {
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

  test('for a person who has one under way ends both, and the next one goes well', async () => {
    const first = await bankid.startSigning(toSign)
    const second = await bankid.startSigning(toSign)
    expect(second.presentation).toEqual({})
    expect(await collect(second.reference)).toEqual({ state: 'failed', reason: 'alreadyInProgress' })
    expect(await collect(first.reference)).toEqual({ state: 'failed', reason: 'cancelled' })
    expect((await collect((await sign()).reference)).state).toBe('complete')
  })
})

const secondOf = (qrText: string | undefined): number => Number(/\.(\d+)\.[\da-f]{64}$/.exec(qrText!)![1])
/** A second as BankID counts it, with two for rounding and the way. */
const expectOfNow = (qrText: string | undefined): void => {
  const atBankId = secondOf(standIn.orders.qrText(lastOf('/auth').orderRef!))
  expect(secondOf(qrText)).toBeGreaterThanOrEqual(atBankId - 2)
  expect(secondOf(qrText)).toBeLessThanOrEqual(atBankId)
}
/** Holds back what writes to a table until BankID has begun an order and more than three seconds have passed. */
const holdingBack = async <Result>(table: string, work: () => Promise<Result>): Promise<Result> => {
  const begun = callsOf('/auth').length
  const { under } = await inTransaction(database.pool, async (client) => {
    await client.query(`lock table ${table} in share mode`)
    const under = work()
    under.catch(() => undefined)
    await expect.poll(() => callsOf('/auth').length).toBe(begun + 1)
    await sleep(3_300)
    return { under }
  })
  return under
}

describe('The QR code', () => {
  test('moves every second, and is made for the second that it is shown in', async () => {
    const started = await bankid.startSignIn(origin)
    expect(started.presentation.qrText).toMatch(/^bankid\.[\da-f-]{36}\.0\.[\da-f]{64}$/)
    const orderRef = lastOf('/auth').orderRef!
    for (const seconds of [3, 4, 5]) {
      await pass(seconds === 3 ? 3_000 : 1_000)
      const { qrText } = presentationOf(await bankid.collect(started.reference))
      const shown = Number(/^bankid\.[\da-f-]{36}\.(\d+)\./.exec(qrText!)![1])
      // The test itself may take a second.
      expect(shown).toBeGreaterThanOrEqual(seconds)
      expect(shown).toBeLessThan(seconds + 10)
      expect(standIn.orders.find(orderRef).status).toBe('pending')
    }
    expect(scan({ presentation: presentationOf(await bankid.collect(started.reference)) }).orderRef).toBe(
      orderRef,
    )
  })

  describe('is of the second that it is shown in, however long storing the order took:', () => {
    test('where it was begun', async () => {
      const started = await holdingBack('bankid_orders', () => bankid.startSignIn(origin))
      expectOfNow(started.presentation.qrText)
      expectOfNow(presentationOf(await collect(started.reference)).qrText)
    })

    test('where the sign-in is stored afterwards', async () => {
      const begun = await holdingBack('identity_orders', () => startSignIn(context, origin))
      expectOfNow(begun.presentation.qrText)
    })

    test('where it was renewed', async () => {
      const { reference } = await bankid.startSignIn(origin)
      await pass(31_000)
      const begun = callsOf('/auth').length
      standIn.answerNextWith({ path: '/auth', delayMs: 500 })
      const collecting = collect(reference)
      await expect.poll(() => callsOf('/auth').length).toBe(begun + 1)
      await inTransaction(database.pool, async (client) => {
        await client.query('lock table bankid_orders in share mode')
        await sleep(4_000)
      })
      expectOfNow(presentationOf(await collecting).qrText)
    })
  })

  test('that was photographed is of no use a little later', async () => {
    const started = await bankid.startSignIn(origin)
    await pass(6_000)
    expect(() => scan(started)).toThrow('s old')
  })

  test.each([10, -10])('is right in a process whose clock is %i minutes off', async (minutes) => {
    const clock = createTestClock((await databaseTimeMs(database.pool)) + minutes * 60_000)
    const other = scene.openBankId({}, { ...context, clock })
    const started = await other.startSignIn(origin)
    await pass(4_000)
    const order = scan({ presentation: presentationOf(await other.collect(started.reference)) })
    await order.sign(elin)
    await pass(2_000)
    expect(await other.collect(started.reference)).toMatchObject({ state: 'complete', person: elin })
  })
})

describe('An order that was not started in time', () => {
  test('is renewed with the same request until three minutes after the first start', async () => {
    const started = await bankid.startSigning(toSign)
    const first = lastOf('/sign')
    await pass(31_000)
    const progress = await collect(started.reference)
    expect(progress).toMatchObject({ state: 'pending', hint: 'outstandingTransaction' })
    const renewed = lastOf('/sign')
    expect(renewed.orderRef).not.toBe(first.orderRef)
    expect(renewed.body).toEqual(first.body)
    expect(presentationOf(progress).qrText).toMatch(/\.\d\.[\da-f]{64}$/)
    const order = scan({ presentation: presentationOf(progress) })
    await order.sign(tolvan)
    expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('has failed with startFailed after three minutes', async () => {
    const { reference } = await bankid.startSignIn(origin)
    const begun = callsOf('/auth').length
    let progress: OrderProgress | undefined
    for (let starts = 0; starts < 6; starts++) {
      await pass(30_001)
      progress = await collect(reference)
    }
    expect(progress).toEqual({ state: 'failed', reason: 'startFailed' })
    expect(callsOf('/auth').length - begun).toBe(5)
  })

  test('is cancelled at BankID if the person cancels while it is renewed', async () => {
    const { reference } = await bankid.startSignIn(origin)
    await pass(31_000)
    const begun = callsOf('/auth').length
    standIn.answerNextWith({ path: '/auth', delayMs: 300 })
    const collecting = collect(reference)
    await expect.poll(() => callsOf('/auth').length).toBe(begun + 1)
    await bankid.cancel(reference)
    expect(await collecting).toEqual({ state: 'failed', reason: 'refused' })
    const renewed = lastOf('/auth').orderRef
    expect(callsOf('/cancel').map((call) => call.orderRef)).toContain(renewed)
  })

  test('has failed where BankID will not begin another', async () => {
    const { reference } = await bankid.startSignIn(origin)
    await pass(31_000)
    standIn.answerNextWith({ path: '/auth', status: 401, errorCode: 'unauthorized' })
    expect(await collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  })

  const waiting = { state: 'pending', hint: 'outstandingTransaction', presentation: {} }

  test.each<[string, Parameters<typeof standIn.answerNextWith>[0]]>([
    ['closes connections', { hangUp: true }],
    ['answers 408', { status: 408, errorCode: 'requestTimeout' }],
    ['answers 429', { status: 429, errorCode: 'tooManyRequests' }],
    ['answers 500', { status: 500, errorCode: 'internalError' }],
    ['answers 502 with a page', { status: 502, body: '<html>' }],
    ['answers 503', { status: 503, errorCode: 'maintenance' }],
  ])('BankID away for a moment at the restart: the code comes back. BankID %s', async (_what, answer) => {
    const started = await bankid.startSignIn(origin)
    await pass(31_000)
    standIn.answerNextWith({ path: '/auth', ...answer, times: 2 })
    const asked = callsOf('/collect').length
    expect(await collect(started.reference)).toEqual(waiting)
    // Nothing of the previous order is shown to any page, before the renewal or after.
    expect(await scene.openBankId().collect(started.reference)).toEqual(waiting)
    expect(await collect(started.reference)).toEqual(waiting)
    const back = await collect(started.reference)
    expect(callsOf('/collect').length).toBe(asked + 1)
    const order = scan({ presentation: presentationOf(back) })
    await order.sign(tolvan)
    expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('shows no code of the one before while BankID is slow to begin another', async () => {
    const started = await bankid.startSignIn(origin)
    await pass(31_000)
    const begun = callsOf('/auth').length
    standIn.answerNextWith({ path: '/auth', delayMs: 1_000 })
    const collecting = collect(started.reference)
    await expect.poll(() => callsOf('/auth').length).toBe(begun + 1)
    expect(await scene.openBankId().collect(started.reference)).toEqual(waiting)
    expect(presentationOf(await collecting).qrText).toBeDefined()
  })

  test('is renewed in another process if the one that was about to do it was killed', async () => {
    await using killed = scene.openBankId({ collectWaitMs: 20 })
    const started = await bankid.startSignIn(origin)
    await pass(31_000)
    const begun = callsOf('/auth').length
    standIn.answerNextWith({ path: '/auth', delayMs: 20_000 })
    expect((await killed.collect(started.reference)).state).toBe('pending')
    await expect.poll(() => callsOf('/auth').length).toBe(begun + 1)
    expect(presentationOf(await collect(started.reference)).qrText).toBeDefined()
  })

  test('is given up between two orders at BankID without a call', async () => {
    const { reference } = await bankid.startSignIn(origin)
    await pass(31_000)
    standIn.answerNextWith({ path: '/auth', status: 503, errorCode: 'maintenance' })
    expect(await collect(reference)).toEqual(waiting)
    const calls = standIn.calls.length
    await bankid.cancel(reference)
    expect(standIn.calls).toHaveLength(calls)
    expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'refused' })
  })

  test('has failed where BankID is away until three minutes are over', async () => {
    const { reference } = await bankid.startSignIn(origin)
    await pass(31_000)
    standIn.answerNextWith({ path: '/auth', status: 503, errorCode: 'maintenance', times: 10 })
    expect(await collect(reference)).toEqual(waiting)
    await pass(100_000)
    expect(await collect(reference)).toEqual(waiting)
    const calls = standIn.calls.length
    await pass(60_000)
    expect(await collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
    expect(standIn.calls).toHaveLength(calls)
  })
})

const countOfExpired = async (): Promise<number> => {
  const { values } = await context.telemetry.bankIdOrders.get()
  return values.find(({ labels }) => labels.outcome === 'expired')?.value ?? 0
}

test('An order that was not polled for four minutes has expired', async () => {
  const before = await countOfExpired()
  const started = await bankid.startSignIn(origin)
  await scan(started).sign(tolvan)
  await pass(4 * 60_000)
  expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'expired' })
  expect(lastOf('/collect')).toMatchObject({ status: 400, errorCode: 'invalidParameters' })
  expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'expired' })
  expect(await countOfExpired()).toBe(before + 1)
  expect(scene.logged.join('')).toContain('"code":"invalidParameters","why":"No such order"')
})

test('An order that BankID does not know while it must is at fault, and not expired', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(2 * 60_000)
  standIn.answerNextWith({ path: '/collect', status: 400, errorCode: 'invalidParameters' })
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'invalidParameters' })
})

describe('A completed order is refused where', () => {
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

  test('it was an earlier sign-in’s', async () => {
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

  test('it says something else than that it is complete', async () => {
    const { reference } = await sign()
    standIn.answerNextWith({
      path: '/collect',
      body: { orderRef: lastOf('/sign').orderRef, status: 'complete', completionData: { user: {} } },
    })
    expect(await collect(reference)).toEqual({ state: 'failed', reason: 'not_verified' })
  })
})

/** A process whose database goes away while BankID answers; given once it has tried in vain to store what it heard. */
const loseDatabase = async (answer: (order: PhoneOrder) => void | Promise<void>) => {
  const stack = new AsyncDisposableStack()
  const gate = stack.use(await createBreakableDatabase(database.url))
  const pool = createPool({ url: gate.url })
  stack.defer(() => endPool(pool))
  const process = scene.openBankId({ collectWaitMs: 20 }, { ...context, pool })
  const started = await process.startSignIn(origin)
  await answer(scan(started))
  await pass(2_000)
  standIn.answerNextWith({ path: '/collect', delayMs: 1_500 })
  const asked = callsOf('/collect').length
  expect((await process.collect(started.reference)).state).toBe('pending')
  await expect.poll(() => callsOf('/collect').length).toBe(asked + 1)
  await gate.takeAway()
  expect(lastOf('/collect').status).toBe(0)
  const tried = vi.spyOn(pool, 'query')
  const inVain = () => tried.mock.settledResults.filter(({ type }) => type === 'rejected').length
  await expect.poll(inVain, { timeout: 10_000 }).toBeGreaterThan(0)
  return {
    gate,
    process,
    reference: started.reference,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('The database is away when BankID says that an order is', () => {
  test('complete: the result is kept once it is back', async () => {
    await using lost = await loseDatabase((order) => order.sign(tolvan))
    await lost.gate.giveBack()
    const collected = () => bankid.collect(lost.reference)
    await expect.poll(collected, { timeout: 10_000 }).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('failed: so is the reason', async () => {
    await using lost = await loseDatabase((order) => order.refuse())
    await lost.gate.giveBack()
    const collected = () => bankid.collect(lost.reference)
    await expect.poll(collected, { timeout: 10_000 }).toEqual({ state: 'failed', reason: 'userCancel' })
  })

  test('complete, and the process stops: it stops as soon as ever', async () => {
    await using lost = await loseDatabase((order) => order.sign(tolvan))
    const startedMs = performance.now()
    await lost.process[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(stopWaitMs + storeMsMax / 2)
  })
})

describe('While BankID', () => {
  test.each<[string, Parameters<typeof standIn.answerNextWith>[0]]>([
    ['closes connections', { hangUp: true }],
    ['answers 500', { status: 500, errorCode: 'internalError' }],
    ['answers 503', { status: 503, errorCode: 'maintenance' }],
    ['answers 503 without saying why', { status: 503, body: '<html>' }],
    ['answers 429', { status: 429, errorCode: 'tooManyRequests' }],
    ['answers what is no JSON', { body: '{"orderRef":' }],
    ['answers JSON that is no answer', { body: { status: 'sleeping' } }],
    ['answers without end', { body: ' '.repeat(1_100_000) }],
  ])('%s, an order stays as it was, and fails once it must be over', async (_what, answer) => {
    const started = await bankid.startSignIn(origin)
    const order = scan(started)
    await collect(started.reference)
    standIn.answerNextWith({ path: '/collect', ...answer, times: 3 })
    const pending = { state: 'pending', hint: 'userSign', presentation: {} }
    expect(await collect(started.reference)).toEqual(pending)
    await pass(2 * 60_000)
    expect(await collect(started.reference)).toEqual(pending)
    expect(order.status).toBe('pending')
    await pass(4 * 60_000)
    expect(await collect(started.reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  })

  test('is unavailable for a moment, an order continues afterwards', async () => {
    const started = await bankid.startSignIn(origin)
    await scan(started).sign(tolvan)
    standIn.answerNextWith({ path: '/collect', status: 503, errorCode: 'maintenance' })
    expect((await collect(started.reference)).state).toBe('pending')
    expect((await collect(started.reference)).state).toBe('complete')
  })

  test('is slow, a page gets the last known state, with the code of this second', async () => {
    const patient = scene.openBankId({ collectWaitMs: 20 })
    const started = await bankid.startSignIn(origin)
    const orderRef = lastOf('/auth').orderRef
    await pass(3_000)
    standIn.answerNextWith({ path: '/collect', delayMs: 1_500 })
    const first = presentationOf(await patient.collect(started.reference))
    expect(first.qrText).toMatch(/\.[3-9]\.[\da-f]{64}$/)
    await pass(5_000)
    const second = presentationOf(await patient.collect(started.reference))
    expect(second.qrText).not.toBe(first.qrText)
    // One call is in progress, and there are no others meanwhile.
    const asked = () => callsOf('/collect').filter((call) => call.orderRef === orderRef).length
    await expect.poll(asked).toBe(1)
  })

  test('is slow to say how far orders are, a sign-in can still be begun', async () => {
    await using patient = scene.openBankId({ collectWaitMs: 1 })
    const asked: string[] = []
    while (asked.length <= bankIdConnectionsMax) asked.push((await patient.startSignIn(origin)).reference)
    await pass(2_000)
    const collects = callsOf('/collect').length
    standIn.answerNextWith({ path: '/collect', delayMs: 9_000, times: asked.length })
    await Promise.all(asked.map((reference) => patient.collect(reference)))
    const underWay = bankIdConnectionsMax - bankIdBeginConnectionsMax
    await expect.poll(() => callsOf('/collect').length, { timeout: 8_000 }).toBe(collects + underWay)
    const started = await patient.startSignIn(origin)
    expect(started.presentation.qrText).toBeDefined()
    await patient.cancel(started.reference)
    // None of the others has been answered meanwhile.
    expect(
      callsOf('/collect')
        .slice(collects)
        .map(({ status }) => status),
    ).toEqual(Array(underWay).fill(0))
  })

  test('is slow, a person who cancels does not wait for it either', async () => {
    const patient = scene.openBankId({ collectWaitMs: 20 })
    const started = await bankid.startSignIn(origin)
    const orderRef = lastOf('/auth').orderRef
    standIn.answerNextWith({ path: '/cancel', delayMs: 2_000 })
    await patient.cancel(started.reference)
    expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: 'refused' })
    expect(callsOf('/cancel').filter((call) => call.orderRef === orderRef && call.status !== 0)).toEqual([])
  })

  test('says that an order is complete while the process stops, the result is not lost', async () => {
    const stopping = scene.openBankId({ collectWaitMs: 20 })
    const started = await bankid.startSignIn(origin)
    await scan(started).sign(tolvan)
    await pass(2_000)
    standIn.answerNextWith({ path: '/collect', delayMs: 300 })
    expect((await stopping.collect(started.reference)).state).toBe('pending')
    await stopping[Symbol.asyncDispose]()
    expect(await bankid.collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('has completed more orders than can be checked, no further one is asked about until there is room', async () => {
    const { reference } = await bankid.startSignIn(origin)
    await pass(2_000)
    const asked = callsOf('/collect').length
    const client = { call: () => expect.unreachable('BankID is asked'), roots: [] }
    const checker = { isFull: () => true, check: () => expect.unreachable(), close: async () => {} }
    await collectBankIdOrder(
      {
        ...context,
        client: { ...client, [Symbol.asyncDispose]: async () => {} },
        checker,
        stopping: new AbortController().signal,
      },
      reference,
    )
    expect(callsOf('/collect')).toHaveLength(asked)
    // The turn was released: the next page calls BankID.
    expect((await bankid.collect(reference)).state).toBe('pending')
    expect(callsOf('/collect')).toHaveLength(asked + 1)
  })

  test('does not answer in time, the call is given up', async () => {
    const hasty = scene.openBankId({ callTimeoutMs: 100 })
    standIn.answerNextWith({ path: '/auth', delayMs: 30_000 })
    const started = await hasty.startSignIn(origin)
    expect(await hasty.collect(started.reference)).toEqual({ state: 'failed', reason: 'unavailable' })
    expect(scene.logged.join('')).toContain('"code":"late"')
  })
})

test('No more than one call in two seconds asks about an order, however many pages and processes ask', async () => {
  const processes = [bankid, scene.openBankId(), scene.openBankId()]
  const { reference } = await bankid.startSignIn(origin)
  const orderRef = lastOf('/auth').orderRef
  const until = performance.now() + 4_800
  const page = async (process: typeof bankid): Promise<void> => {
    while (performance.now() < until) {
      expect((await process.collect(reference)).state).toBe('pending')
      await sleep(40)
    }
  }
  await Promise.all([...processes, ...processes].map(page))
  const times = callsOf('/collect').flatMap((call) => (call.orderRef === orderRef ? [call.atMs] : []))
  expect(times.length).toBeGreaterThanOrEqual(1)
  expect(times.length).toBeLessThanOrEqual(2)
  const gaps = times.slice(1).map((at, index) => at - times[index]!)
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1_990)
})
