import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError, type Call, type Replies } from '../testing/api-stub.ts'
import {
  begun,
  code,
  ekeby,
  eventually,
  facts,
  focused,
  member,
  pending,
  presentations,
  signingInOn,
  startNames,
  toOther,
  toThis,
  waiting,
} from '../testing/bankid-scene.ts'
import { exampleConnection, exampleConsent } from '../testing/examples.ts'
import { inTurn } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const made = exampleConnection({
  state: 'unsigned',
  signature_id: null,
  signed_at: null,
  signed_with: null,
  expires_at: null,
  credentials: [],
})
const connectionPath = `/companies/${ekeby.company_id}/connections/${made.connection_id}`
const signConnection = 'POST /console/companies/{company_id}/connections/{connection_id}/sign'
const collectConnection =
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect'
const text = 'The connection “Ledger nightly” may send numbers.'

describe('A signature with BankID', () => {
  const signed = exampleConnection()
  const ofConnection: Replies = {
    'GET /console/session': member,
    'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
    'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    [signConnection]: (call) => ({ ...begun(call), visible_text: text }),
  }

  test('of a connection continues after a reload, with its text, and the secret is shown', async () => {
    let isSigned = false
    const { page, sentTo } = await open(
      connectionPath,
      {
        ...ofConnection,
        [collectConnection]: () =>
          isSigned
            ? { state: 'complete', connection: signed, secret: 'ncs_1' }
            : { ...waiting(), visible_text: text },
      },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign with BankID' }).click()
    await page.getByRole('blockquote').getByText(text).waitFor()
    await code(page).waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Ledger')
    await page.reload()
    await page.getByRole('blockquote').getByText(text).waitFor()
    expect(await page.getByRole('blockquote').getAttribute('lang')).toBe('en')
    await code(page).waitFor()
    expect(await lookOver(page, 'connection-bankid')).toEqual([])
    isSigned = true
    await page.clock.runFor(2_000)
    await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
    expect(sentTo(signConnection)).toEqual([{ language: 'en', return_to: connectionPath, device: 'other' }])
  })

  test('of a connection started here by another person is dropped', async () => {
    let reply: () => Response | ApiResponse<typeof collectConnection> = waiting
    const { page } = await open(
      connectionPath,
      { ...ofConnection, [collectConnection]: () => reply() },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign with BankID' }).click()
    await code(page).waitFor()
    await page.goto('https://elsewhere.test/')
    reply = () => apiError(404, 'not_found')
    await page.goto(`https://numera.test${connectionPath}`)
    await page.getByRole('button', { name: 'Sign with BankID' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('of a consent continues in another tab at the same address only', async () => {
    const address = '/oauth/authorize?client_id=app-1&state=a%20b'
    const callback = 'https://ledger.example/callback?code=nac_1'
    let isSigned = false
    const { page, sentTo } = await open(
      address,
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': (call) => ({ ...begun(call), state: 'signing', visible_text: text }),
        'POST /console/authorize/sign/{order_id}/collect': () =>
          isSigned ? { state: 'complete', location: callback } : { ...waiting(), visible_text: text },
      },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await code(page).waitFor()
    const return_to = address.replace('/oauth/authorize', '/consent')
    expect(sentTo('POST /console/authorize/sign')).toMatchObject([{ return_to, device: 'other' }])
    const other = await page.context().newPage()
    await other.goto('https://numera.test/oauth/authorize?client_id=app-1&state=other')
    await other.getByRole('button', { name: 'Sign and allow' }).waitFor()
    await other.goto(`https://numera.test${address}`)
    await other.getByRole('blockquote').getByText(text).waitFor()
    // Only the first tab knows what was ticked.
    await code(other).waitFor()
    expect(await toThis(other).count()).toBe(0)
    isSigned = true
    await other.waitForURL(callback)
  })

  test.each([
    ['a connection', connectionPath, 'Sign with BankID', signConnection],
    ['a consent', '/oauth/authorize?client_id=app-1', 'Sign and allow', 'POST /console/authorize/sign'],
  ] as const)('of %s switches devices and back, with the same text', async (_what, path, name, sign) => {
    let orders = 0
    const begin = (call: Call) => ({ ...begun(call), order_id: `order-${++orders}`, visible_text: text })
    const device = () => (orders % 2 === 1 ? ('other' as const) : ('this' as const))
    const collect = () => ({
      ...pending('outstandingTransaction', presentations[device()]),
      visible_text: text,
    })
    const { page, sentTo } = await open(
      path,
      {
        ...ofConnection,
        'POST /console/authorize': () => exampleConsent(),
        [signConnection]: begin,
        'POST /console/authorize/sign': (call) => ({ ...begin(call), state: 'signing' as const }),
        [collectConnection]: collect,
        'POST /console/authorize/sign/{order_id}/collect': collect,
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel': () =>
          undefined,
        'POST /console/authorize/sign/{order_id}/cancel': () => undefined,
      },
      { facts },
    )
    if (sign !== signConnection) await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name }).click()
    await code(page).waitFor()
    await toThis(page).click()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    await page.getByRole('blockquote').getByText(text).waitFor()
    await toOther(page).click()
    await code(page).waitFor()
    const sent = sentTo(sign) as { device: string }[]
    expect(sent).toEqual(['other', 'this', 'other'].map((device) => ({ ...sent[0], device })))
    // A reloaded page continues with the newest.
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('order-3')
  })

  test('of a consent that fails is started again with the same ticks', async () => {
    const { page, sentTo } = await open(
      '/oauth/authorize?client_id=app-1',
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': inTurn(
          () => ({ ...begun({ body: {} }), state: 'signing' as const, visible_text: text }),
          () => ({
            ...begun({ body: {} }),
            order_id: 'order-2',
            state: 'signing' as const,
            visible_text: text,
          }),
        ),
        'POST /console/authorize/sign/{order_id}/collect': ({ path }) =>
          path[0] === 'order-1' ? { state: 'failed', reason: 'userCancel' } : pending('userSign'),
      },
      { facts },
    )
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert', { name: 'Could not sign' }).getByText('The action was cancelled.').waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(true)
    await again.press('Enter')
    await page.getByText('Enter your security code').waitFor()
    const [first, second] = sentTo('POST /console/authorize/sign')
    expect(second).toEqual(first)
  })
})

test('A stored order is deleted by the next visit to any page after 15 minutes', async () => {
  let isSignedIn = false
  const { page } = await open(
    '/invitations#token-1',
    {
      ...signingInOn(waiting, () => isSignedIn),
      'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
      'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
      [signConnection]: (call) => ({ ...begun(call), visible_text: text }),
      [collectConnection]: () => ({ ...waiting(), visible_text: text }),
      'POST /console/authorize': () => exampleConsent(),
      'POST /console/authorize/sign': (call) => ({ ...begun(call), state: 'signing', visible_text: text }),
      'POST /console/authorize/sign/{order_id}/collect': () => ({ ...waiting(), visible_text: text }),
    },
    { facts },
  )
  const beginAt = async (path: string, name: string | RegExp): Promise<void> => {
    await page.goto(`https://numera.test${path}`)
    await page.getByRole('button', { name }).click()
    await code(page).waitFor()
    await page.goto('https://elsewhere.test/')
  }
  const remembered = async () => {
    const keys = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
    return keys.filter((key) => key.startsWith('numera.')).toSorted()
  }
  await beginAt('/invitations#token-1', startNames)
  isSignedIn = true
  await beginAt(connectionPath, 'Sign with BankID')
  await beginAt('/oauth/authorize?client_id=app-1', 'Sign and allow')
  await page.goto('https://numera.test/signatures')
  const keys = ['numera.order.connection', 'numera.order.consent', 'numera.order.sign-in']
  expect(await remembered()).toEqual(keys)
  await page.goto('https://elsewhere.test/')
  await page.clock.setSystemTime('2026-11-20T10:16:00Z')
  await page.goto('https://numera.test/signatures')
  await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
  expect(await remembered()).toEqual([])
})
