import { expect, test } from 'vitest'
import { origin, tolvan } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import type { OrderProgress } from '../identity-provider.ts'
import {
  toSign,
  getPresentation,
  waiting,
  startBankIdOrdersScene,
} from '../../../../testing/in-process/scenes/bankid-orders-scene.ts'

const { scene, standIn, bankid, collect, pass, scan, getCalls, getLastCall } = await startBankIdOrdersScene()

test('an order that was not started is renewed until three minutes after the first start', async () => {
  const started = await bankid.startSigning(toSign)
  const first = getLastCall('/sign')
  await pass(31_000)
  const progress = await collect(started.reference)
  expect(progress).toMatchObject({ state: 'pending', hint: 'outstandingTransaction' })
  const renewed = getLastCall('/sign')
  expect(renewed.orderRef).not.toBe(first.orderRef)
  expect(renewed.body).toEqual(first.body)
  expect(getPresentation(progress).qrText).toMatch(/\.\d\.[\da-f]{64}$/)
  const order = scan({ presentation: getPresentation(progress) })
  await order.sign(tolvan)
  expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
})

test('an order that was never started fails with startFailed after three minutes', async () => {
  const { reference } = await bankid.startSignIn(origin)
  const begun = getCalls('/auth').length
  let progress: OrderProgress | undefined
  for (let starts = 0; starts < 6; starts++) {
    await pass(30_001)
    progress = await collect(reference)
  }
  expect(progress).toEqual({ state: 'failed', reason: 'startFailed' })
  expect(getCalls('/auth').length - begun).toBe(5)
})

test('an order that is cancelled while it is renewed is cancelled at BankID', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(31_000)
  const begun = getCalls('/auth').length
  standIn.answerNextWith({ path: '/auth', delayMs: 300 })
  const collecting = collect(reference)
  await expect.poll(() => getCalls('/auth').length).toBe(begun + 1)
  await bankid.cancel(reference)
  expect(await collecting).toEqual({ state: 'failed', reason: 'refused' })
  const renewed = getLastCall('/auth').orderRef
  expect(getCalls('/cancel').map((call) => call.orderRef)).toContain(renewed)
})

test('an order fails if BankID refuses to begin another', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(31_000)
  standIn.answerNextWith({ path: '/auth', status: 401, errorCode: 'unauthorized' })
  expect(await collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
})

test.each<[string, Parameters<typeof standIn.answerNextWith>[0]]>([
  ['closes connections', { hangUp: true }],
  ['answers 408', { status: 408, errorCode: 'requestTimeout' }],
  ['answers 429', { status: 429, errorCode: 'tooManyRequests' }],
  ['answers 500', { status: 500, errorCode: 'internalError' }],
  ['answers 502 with a page', { status: 502, body: '<html>' }],
  ['answers 503', { status: 503, errorCode: 'maintenance' }],
])('the code returns after a fault at the renewal: BankID %s', async (_what, answer) => {
  const started = await bankid.startSignIn(origin)
  await pass(31_000)
  standIn.answerNextWith({ path: '/auth', ...answer, times: 2 })
  const before = getCalls('/collect').length
  expect(await collect(started.reference)).toEqual(waiting)
  // Nothing of the previous order is shown to any page, before the renewal or after.
  expect(await scene.openBankId().collect(started.reference)).toEqual(waiting)
  expect(await collect(started.reference)).toEqual(waiting)
  const back = await collect(started.reference)
  expect(getCalls('/collect').length).toBe(before + 1)
  const order = scan({ presentation: getPresentation(back) })
  await order.sign(tolvan)
  expect(await collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
})

test('the previous code is not shown while BankID is slow to begin another', async () => {
  const started = await bankid.startSignIn(origin)
  await pass(31_000)
  const begun = getCalls('/auth').length
  standIn.answerNextWith({ path: '/auth', delayMs: 1_000 })
  const collecting = collect(started.reference)
  await expect.poll(() => getCalls('/auth').length).toBe(begun + 1)
  expect(await scene.openBankId().collect(started.reference)).toEqual(waiting)
  expect(getPresentation(await collecting).qrText).toBeDefined()
})

test('another process renews an order if the first one was killed', async () => {
  await using killed = scene.openBankId({ collectWaitMs: 20 })
  const started = await bankid.startSignIn(origin)
  await pass(31_000)
  const begun = getCalls('/auth').length
  standIn.answerNextWith({ path: '/auth', delayMs: 20_000 })
  expect((await killed.collect(started.reference)).state).toBe('pending')
  await expect.poll(() => getCalls('/auth').length).toBe(begun + 1)
  expect(getPresentation(await collect(started.reference)).qrText).toBeDefined()
})

test('an order between two orders at BankID is cancelled without a call', async () => {
  const { reference } = await bankid.startSignIn(origin)
  await pass(31_000)
  standIn.answerNextWith({ path: '/auth', status: 503, errorCode: 'maintenance' })
  expect(await collect(reference)).toEqual(waiting)
  const calls = standIn.calls.length
  await bankid.cancel(reference)
  expect(standIn.calls).toHaveLength(calls)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'refused' })
})

test('an order fails if BankID is unavailable until three minutes have passed', async () => {
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
