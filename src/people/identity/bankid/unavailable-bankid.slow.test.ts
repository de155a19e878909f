import { describe, expect, test, vi } from 'vitest'
import type { PhoneOrder } from '../../../../stand-ins/bankid/orders.ts'
import { createPool, endPool } from '../../../platform/database/pool.ts'
import { createBreakableDatabase } from '../../../../testing/faults/breakable-database.ts'
import { collectBankIdOrder, storeMsMax } from './collect-order.ts'
import { stopWaitMs } from './open-bankid.ts'
import { bankIdBeginConnectionsMax, bankIdConnectionsMax } from './client.ts'
import { origin, tolvan } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import {
  getPresentation,
  startBankIdOrdersScene,
} from '../../../../testing/in-process/scenes/bankid-orders-scene.ts'

const { scene, standIn, bankid, database, context, collect, pass, scan, getCalls, getLastCall } =
  await startBankIdOrdersScene()

/** A process whose database becomes unavailable while BankID answers, and which has tried to store the answer. */
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
  const before = getCalls('/collect').length
  expect((await process.collect(started.reference)).state).toBe('pending')
  await expect.poll(() => getCalls('/collect').length).toBe(before + 1)
  await gate.takeAway()
  expect(getLastCall('/collect').status).toBe(0)
  const tried = vi.spyOn(pool, 'query')
  const countFailures = () => tried.mock.settledResults.filter(({ type }) => type === 'rejected').length
  await expect.poll(countFailures, { timeout: 10_000 }).toBeGreaterThan(0)
  return {
    gate,
    process,
    reference: started.reference,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('the database is unavailable when BankID answers', () => {
  test('a completed order is stored once it is back', async () => {
    await using lost = await loseDatabase((order) => order.sign(tolvan))
    await lost.gate.giveBack()
    const collected = () => bankid.collect(lost.reference)
    await expect.poll(collected, { timeout: 10_000 }).toMatchObject({ state: 'complete', person: tolvan })
  })

  test('the reason of a failed order is stored once it is back', async () => {
    await using lost = await loseDatabase((order) => order.refuse())
    await lost.gate.giveBack()
    const collected = () => bankid.collect(lost.reference)
    await expect.poll(collected, { timeout: 10_000 }).toEqual({ state: 'failed', reason: 'userCancel' })
  })

  test('a process can stop without waiting for it', async () => {
    await using lost = await loseDatabase((order) => order.sign(tolvan))
    const startedMs = performance.now()
    await lost.process[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(stopWaitMs + storeMsMax / 2)
  })
})

test.each<[string, Parameters<typeof standIn.answerNextWith>[0]]>([
  ['closes connections', { hangUp: true }],
  ['answers 500', { status: 500, errorCode: 'internalError' }],
  ['answers 503', { status: 503, errorCode: 'maintenance' }],
  ['answers 503 without saying why', { status: 503, body: '<html>' }],
  ['answers 429', { status: 429, errorCode: 'tooManyRequests' }],
  ['answers what is no JSON', { body: '{"orderRef":' }],
  ['answers JSON that is no answer', { body: { status: 'sleeping' } }],
  ['answers without end', { body: ' '.repeat(1_100_000) }],
])('an order is unchanged while BankID %s, and fails at its end', async (_what, answer) => {
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

test('an order continues after BankID was unavailable for a moment', async () => {
  const started = await bankid.startSignIn(origin)
  await scan(started).sign(tolvan)
  standIn.answerNextWith({ path: '/collect', status: 503, errorCode: 'maintenance' })
  expect((await collect(started.reference)).state).toBe('pending')
  expect((await collect(started.reference)).state).toBe('complete')
})

test('a page gets the last known state and the current code while BankID is slow', async () => {
  const patient = scene.openBankId({ collectWaitMs: 20 })
  const started = await bankid.startSignIn(origin)
  const orderRef = getLastCall('/auth').orderRef
  await pass(3_000)
  standIn.answerNextWith({ path: '/collect', delayMs: 1_500 })
  const first = getPresentation(await patient.collect(started.reference))
  expect(first.qrText).toMatch(/\.[3-9]\.[\da-f]{64}$/)
  await pass(5_000)
  const second = getPresentation(await patient.collect(started.reference))
  expect(second.qrText).not.toBe(first.qrText)
  // One call is in progress, and there are no others meanwhile.
  const countCalls = () => getCalls('/collect').filter((call) => call.orderRef === orderRef).length
  await expect.poll(countCalls).toBe(1)
})

test('a sign-in can be begun while BankID is slow to answer polls', async () => {
  await using patient = scene.openBankId({ collectWaitMs: 1 })
  const orders: string[] = []
  while (orders.length <= bankIdConnectionsMax) orders.push((await patient.startSignIn(origin)).reference)
  await pass(2_000)
  const collects = getCalls('/collect').length
  standIn.answerNextWith({ path: '/collect', delayMs: 9_000, times: orders.length })
  await Promise.all(orders.map((reference) => patient.collect(reference)))
  const underWay = bankIdConnectionsMax - bankIdBeginConnectionsMax
  await expect.poll(() => getCalls('/collect').length, { timeout: 8_000 }).toBe(collects + underWay)
  const started = await patient.startSignIn(origin)
  expect(started.presentation.qrText).toBeDefined()
  await patient.cancel(started.reference)
  // None of the others has been answered meanwhile.
  expect(
    getCalls('/collect')
      .slice(collects)
      .map(({ status }) => status),
  ).toEqual(Array(underWay).fill(0))
})

test('a person who cancels does not wait for a slow BankID', async () => {
  const patient = scene.openBankId({ collectWaitMs: 20 })
  const started = await bankid.startSignIn(origin)
  const orderRef = getLastCall('/auth').orderRef
  standIn.answerNextWith({ path: '/cancel', delayMs: 2_000 })
  await patient.cancel(started.reference)
  await expect
    .poll(() => bankid.collect(started.reference), { interval: 10 })
    .toEqual({ state: 'failed', reason: 'refused' })
  expect(getCalls('/cancel').filter((call) => call.orderRef === orderRef && call.status !== 0)).toEqual([])
})

test('a result that arrives while the process stops is not lost', async () => {
  const stopping = scene.openBankId({ collectWaitMs: 20 })
  const started = await bankid.startSignIn(origin)
  await scan(started).sign(tolvan)
  await pass(2_000)
  standIn.answerNextWith({ path: '/collect', delayMs: 300 })
  expect((await stopping.collect(started.reference)).state).toBe('pending')
  await stopping[Symbol.asyncDispose]()
  expect(await bankid.collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
})

test('no order is collected while too many completions wait to be checked', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(2_000)
  const before = getCalls('/collect').length
  const client = { call: () => expect.unreachable('BankID is called'), roots: [] }
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
  expect(getCalls('/collect')).toHaveLength(before)
  // The order was released, so the next page calls BankID.
  expect((await bankid.collect(reference)).state).toBe('pending')
  expect(getCalls('/collect')).toHaveLength(before + 1)
})

test('a call that BankID does not answer in time is aborted', async () => {
  const hasty = scene.openBankId({ callTimeoutMs: 100 })
  standIn.answerNextWith({ path: '/auth', delayMs: 30_000 })
  const started = await hasty.startSignIn(origin)
  expect(await hasty.collect(started.reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  expect(scene.logged.join('')).toContain('"code":"late"')
})
