import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { databaseTimeMs } from '../../../platform/clock/database-time.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { elin, origin } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import { startSignIn } from '../sign-in.ts'
import {
  getPresentation,
  startBankIdOrdersScene,
} from '../../../../testing/in-process/scenes/bankid-orders-scene.ts'

const { scene, standIn, bankid, database, context, collect, pass, scan, getCalls, getLastCall } =
  await startBankIdOrdersScene()

const getSecond = (qrText: string | undefined): number => Number(/\.(\d+)\.[\da-f]{64}$/.exec(qrText!)![1])

/** The code is of the second that BankID counts, give or take two for rounding and transport. */
const expectCurrent = (qrText: string | undefined): void => {
  const atBankId = getSecond(standIn.orders.qrText(getLastCall('/auth').orderRef!))
  expect(getSecond(qrText)).toBeGreaterThanOrEqual(atBankId - 2)
  expect(getSecond(qrText)).toBeLessThanOrEqual(atBankId)
}

/** Delays writes to a table until BankID has begun an order and more than three seconds have passed. */
const whileLocked = async <Result>(table: string, work: () => Promise<Result>): Promise<Result> => {
  const begun = getCalls('/auth').length
  const { under } = await inTransaction(database.pool, async (client) => {
    await client.query(`lock table ${table} in share mode`)
    const under = work()
    under.catch(() => undefined)
    await expect.poll(() => getCalls('/auth').length).toBe(begun + 1)
    await sleep(3_300)
    return { under }
  })
  return under
}

test('the code changes every second', async () => {
  const started = await bankid.startSignIn(origin)
  expect(started.presentation.qrText).toMatch(/^bankid\.[\da-f-]{36}\.0\.[\da-f]{64}$/)
  const orderRef = getLastCall('/auth').orderRef!
  for (const seconds of [3, 4, 5]) {
    await pass(seconds === 3 ? 3_000 : 1_000)
    const { qrText } = getPresentation(await bankid.collect(started.reference))
    const shown = Number(/^bankid\.[\da-f-]{36}\.(\d+)\./.exec(qrText!)![1])
    // The test itself may take a second.
    expect(shown).toBeGreaterThanOrEqual(seconds)
    expect(shown).toBeLessThan(seconds + 10)
    expect(standIn.orders.find(orderRef).status).toBe('pending')
  }
  expect(scan({ presentation: getPresentation(await bankid.collect(started.reference)) }).orderRef).toBe(
    orderRef,
  )
})

test('the code is current however long it took to store the new order', async () => {
  const started = await whileLocked('bankid_orders', () => bankid.startSignIn(origin))
  expectCurrent(started.presentation.qrText)
  expectCurrent(getPresentation(await collect(started.reference)).qrText)
})

test('the code is current however long it took to store the sign-in', async () => {
  const begun = await whileLocked('identity_orders', () => startSignIn(context, origin))
  expectCurrent(begun.presentation.qrText)
})

test('the code is current however long it took to store the renewed order', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(31_000)
  const begun = getCalls('/auth').length
  standIn.answerNextWith({ path: '/auth', delayMs: 500 })
  const collecting = collect(reference)
  await expect.poll(() => getCalls('/auth').length).toBe(begun + 1)
  await inTransaction(database.pool, async (client) => {
    await client.query('lock table bankid_orders in share mode')
    await sleep(4_000)
  })
  expectCurrent(getPresentation(await collecting).qrText)
})

test('a photographed code is useless a little later', async () => {
  const started = await bankid.startSignIn(origin)
  await pass(6_000)
  expect(() => scan(started)).toThrow('s old')
})

test.each([10, -10])('the code is right in a process whose clock is %i minutes off', async (minutes) => {
  const clock = createTestClock((await databaseTimeMs(database.pool)) + minutes * 60_000)
  const other = scene.openBankId({}, { ...context, clock })
  const started = await other.startSignIn(origin)
  await pass(4_000)
  const order = scan({ presentation: getPresentation(await other.collect(started.reference)) })
  await order.sign(elin)
  await pass(2_000)
  expect(await other.collect(started.reference)).toMatchObject({ state: 'complete', person: elin })
})
