import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { origin, startBankIdScene } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import { errorCodes, hintCodes } from './faults.ts'

/** BankID's public tables of errors and hint codes, row by row. */

const scene = await startBankIdScene()
const { standIn, bankid, collect, context } = scene
beforeEach(scene.beginAnew)

const begin = async () => {
  const { reference, presentation } = await bankid.startSignIn(origin)
  const orderRef = standIn.calls.findLast((call) => call.path === '/auth')!.orderRef!
  return { reference, presentation, order: standIn.orders.find(orderRef) }
}
const getValue = async (metric: 'bankIdCalls' | 'bankIdOrders', label: string): Promise<number> => {
  const { values } = await context.telemetry[metric].get()
  return values.find((each) => Object.values(each.labels).join(' ') === label)?.value ?? 0
}

interface ErrorRow {
  code: string
  status: number
  /** What a page gets for an order that could not be begun. */
  begun: string
  /** What it gets for one that was polled; `pending` if BankID is polled again. */
  collected: string
}

const errorTable: ErrorRow[] = [
  { code: 'alreadyInProgress', status: 400, begun: 'alreadyInProgress', collected: 'alreadyInProgress' },
  { code: 'invalidParameters', status: 400, begun: 'invalidParameters', collected: 'invalidParameters' },
  { code: 'aNewCode', status: 400, begun: 'aNewCode', collected: 'aNewCode' },
  { code: 'unauthorized', status: 401, begun: 'unavailable', collected: 'unavailable' },
  { code: 'unauthorized', status: 403, begun: 'unavailable', collected: 'unavailable' },
  { code: 'notFound', status: 404, begun: 'unavailable', collected: 'unavailable' },
  { code: 'methodNotAllowed', status: 405, begun: 'unavailable', collected: 'unavailable' },
  { code: 'requestTimeout', status: 408, begun: 'unavailable', collected: 'pending' },
  { code: 'unsupportedMediaType', status: 415, begun: 'unavailable', collected: 'unavailable' },
  { code: 'tooManyRequests', status: 429, begun: 'unavailable', collected: 'pending' },
  { code: 'internalError', status: 500, begun: 'unavailable', collected: 'pending' },
  { code: 'maintenance', status: 503, begun: 'unavailable', collected: 'pending' },
]

test('the table of errors has every public code', () => {
  const rows = new Set(errorTable.map((row) => row.code))
  expect(errorCodes.filter((code) => !rows.has(code))).toEqual([])
})

describe.each(errorTable)('error $status $code', ({ code, status, begun, collected }) => {
  const unknownOutcome = status === 429 ? 'faulty' : 'other'
  const outcome = (errorCodes as readonly string[]).includes(code) ? code : unknownOutcome

  test(`gives a failed order when an order is begun: ${begun}`, async () => {
    const before = await getValue('bankIdCalls', `auth ${outcome}`)
    standIn.answerNextWith({ path: '/auth', status, errorCode: code })
    const started = await bankid.startSignIn(origin)
    expect(started.presentation).toEqual({})
    expect(await bankid.collect(started.reference)).toEqual({ state: 'failed', reason: begun })
    expect(await getValue('bankIdCalls', `auth ${outcome}`)).toBe(before + 1)
  })

  test(`gives this when an order is collected: ${collected}`, async () => {
    const { reference } = await begin()
    standIn.answerNextWith({ path: '/collect', status, errorCode: code })
    const progress = await collect(reference)
    if (collected === 'pending') expect(progress).toMatchObject({ state: 'pending' })
    else expect(progress).toEqual({ state: 'failed', reason: collected })
  })

  test('leaves a cancelled order cancelled', async () => {
    const { reference } = await begin()
    standIn.answerNextWith({ path: '/cancel', status, errorCode: code })
    await bankid.cancel(reference)
    expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'refused' })
  })
})

test('an error without a body, or with an unknown code, is classified by its status', async () => {
  standIn.answerNextWith({ path: '/auth', status: 405, body: '' })
  const first = await bankid.startSignIn(origin)
  expect(await bankid.collect(first.reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  standIn.answerNextWith({ path: '/auth', status: 400, errorCode: '<script>191212121212' })
  const second = await bankid.startSignIn(origin)
  expect(await bankid.collect(second.reference)).toEqual({ state: 'failed', reason: 'unknown' })
  expect(scene.logged.join('')).not.toContain('script')
})

test.each([
  [429, 'faulty'],
  [500, 'internalError'],
  [502, 'faulty'],
  [503, 'maintenance'],
  [504, 'faulty'],
  [599, 'faulty'],
  [418, 'other'],
])('a %i with a page instead of an error code counts as %s', async (status, outcome) => {
  const before = await getValue('bankIdCalls', `auth ${outcome}`)
  standIn.answerNextWith({ path: '/auth', status, body: '<html>Bad Gateway</html>' })
  await bankid.startSignIn(origin)
  expect(await getValue('bankIdCalls', `auth ${outcome}`)).toBe(before + 1)
})

test('the alert that BankID is unavailable counts all of BankID’s own faults', async () => {
  const alerts = await readFile(join(import.meta.dirname, '../../../../deploy/monitoring/alerts.yml'), 'utf8')
  const [, outcomes] = /alert: NumeraBankIdUnavailable[^"]+outcome=~"([^"]+)"/.exec(alerts)!
  const passing = [
    'requestTimeout',
    'internalError',
    'maintenance',
    'faulty',
    'unreachable',
    'late',
    'malformed',
  ]
  expect(outcomes!.split('|')).toEqual(expect.arrayContaining(passing))
})

test('the details of an error are logged only if they contain no number', async () => {
  const { reference } = await begin()
  standIn.answerNextWith({
    path: '/collect',
    status: 400,
    errorCode: 'invalidParameters',
    details: 'No such order',
  })
  await collect(reference)
  expect(scene.logged.join('')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/)
  expect(scene.logged.filter((line) => line.includes('191212121212'))).toEqual([])
})

describe.each([...hintCodes.pending, 'aNewHint'])('hint %s', (hint) => {
  test('is the hint of a pending order', async () => {
    const { reference, presentation, order } = await begin()
    const isBefore = hint === 'outstandingTransaction' || hint === 'noClient'
    const app = isBefore ? order : standIn.phone.scan(presentation.qrText!)
    app.setHint(hint)
    const progress = await collect(reference)
    expect(progress).toMatchObject({ state: 'pending', hint })
    // An order that an app has opened has nothing to scan or to start.
    const shown = progress.state === 'pending' ? Object.keys(progress.presentation) : []
    expect(shown).toEqual(isBefore ? ['qrText'] : [])
  })
})

describe.each([...hintCodes.failed, 'aNewHint'].filter((hint) => hint !== 'startFailed'))(
  'hint %s',
  (hint) => {
    test('is the reason of a failed order', async () => {
      const outcome = hint === 'aNewHint' ? 'other' : hint
      const before = await getValue('bankIdOrders', outcome)
      const { reference, order } = await begin()
      order.failWith(hint)
      expect(await collect(reference)).toEqual({ state: 'failed', reason: hint })
      const collected = standIn.calls.length
      expect(await collect(reference)).toEqual({ state: 'failed', reason: hint })
      expect(standIn.calls).toHaveLength(collected)
      expect(await getValue('bankIdOrders', outcome)).toBe(before + 1)
    })
  },
)

describe('hint startFailed', () => {
  test('renews the order, and is the reason once it has failed after three minutes', async () => {
    const { reference, order } = await begin()
    order.failWith('startFailed')
    expect(await collect(reference)).toMatchObject({ state: 'pending', hint: 'outstandingTransaction' })
    await scene.pass(3 * 60_000)
    expect(await collect(reference)).toEqual({ state: 'failed', reason: 'startFailed' })
  })
})
