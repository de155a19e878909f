import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Call } from '../testing/api-stub.ts'
import {
  againNames,
  begun,
  code,
  codeNames,
  collectSignIn,
  eventually,
  facts,
  focused,
  here,
  inDevices,
  iPhone,
  launch,
  launch_url,
  member,
  signingIn,
  start,
  startNames,
  thisNames,
  toOther,
  toThis,
  waiting,
  waitingHere,
} from '../testing/bankid-scene.ts'
import { appMissing } from '../testing/bankid-texts.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The card', () => {
  test('shows the code on a computer, and works by keyboard', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waiting), { facts })
    await start(page).press('Enter')
    await code(page).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Identify yourself' }).waitFor()
    expect(await here(page).count()).toBe(0)
    expect(await toOther(page).count()).toBe(0)
    await eventually(() => focused(page)).toBe('Identify yourself')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Use BankID on this device')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await start(page).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/sign-in', device: 'other' }])
    // It is not continued.
    await page.reload()
    await start(page).waitFor()
  })

  test('opens the app on a phone, and shows a code only for another device', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waitingHere), { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    expect(await code(page).count()).toBe(0)
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-phone')).toEqual([])
    expect(await here(page).getAttribute('href')).toBe(launch_url)
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/sign-in', device: 'this' }])
  })

  test('switches between code and app by keyboard, each time with a new order, cancelling the previous one', async () => {
    const { replies, calledOrders } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { facts })
    await start(page).click()
    await code(page).waitFor()
    await toThis(page).press('Enter')
    await here(page).waitFor()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    expect(await code(page).count()).toBe(0)
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-computer-this-device')).toEqual([])
    await toOther(page).press('Enter')
    await code(page).waitFor()
    // The link, and the instructions.
    await eventually(() => focused(page)).toContain('Start the BankID app on your phone.')
    expect(await here(page).count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Use BankID on this device')
    expect(calledOrders('POST /console/sign-in/{order_id}/cancel')).toEqual(['order-1', 'order-2'])
    expect(sentTo('POST /console/sign-in')).toEqual(
      ['other', 'this', 'other'].map((device) => ({ return_to: '/sign-in', device })),
    )
    // The current one continues, on its own device.
    await page.reload()
    await code(page).waitFor()
    await eventually(() => calledOrders(collectSignIn).at(-1)).toBe('order-3')
    expect(await toThis(page).count()).toBe(1)
  })

  test('cancels an order before starting the next, since a browser has one at a time', async () => {
    const { replies } = inDevices()
    const cancelled = Promise.withResolvers<undefined>()
    const { page, sentTo } = await open(
      '/sign-in',
      { ...replies, 'POST /console/sign-in/{order_id}/cancel': () => cancelled.promise },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    await page.clock.runFor(2_000)
    expect(sentTo('POST /console/sign-in')).toHaveLength(1)
    expect(await toOther(page).getAttribute('aria-busy')).toBe('true')
    cancelled.resolve(undefined)
    await code(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(2)
  })

  test('ignores late responses for the previous order', async () => {
    const { replies } = inDevices()
    const late = Promise.withResolvers<void>()
    let isPolled = false
    const { page } = await open(
      '/sign-in',
      {
        ...replies,
        [collectSignIn]: async (call: Call) => {
          if (call.path[0] !== 'order-1') return replies[collectSignIn]!(call)
          isPolled = true
          await late.promise
          return { state: 'failed', reason: 'ended' }
        },
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await eventually(() => isPolled).toBe(true)
    await toOther(page).click()
    late.resolve()
    await code(page).waitFor()
    await page.clock.runFor(2_000)
    await code(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('signs in a person who answered just before switching devices, without a new order', async () => {
    const { replies } = inDevices()
    const late = Promise.withResolvers<void>()
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/signatures',
      {
        ...replies,
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'GET /console/signatures': () => ({ signatures: [], next_cursor: null }),
        [collectSignIn]: async () => {
          await late.promise
          isSignedIn = true
          return { state: 'complete' as const }
        },
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toHaveLength(1)
    late.resolve()
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(1)
  })

  test('says that an order for another device cannot be started, and retries', async () => {
    let isUnavailable = false
    const { replies } = inDevices()
    const { page, sentTo } = await open(
      '/sign-in',
      {
        ...replies,
        'POST /console/sign-in': (call) =>
          isUnavailable ? apiError(503, 'unavailable') : replies['POST /console/sign-in']!(call),
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    isUnavailable = true
    await toOther(page).click()
    await page.getByRole('alert').waitFor()
    isUnavailable = false
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(3)
  })

  test('retries a failed order on the same device', async () => {
    const { replies, fail } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await code(page).waitFor()
    fail('order-2', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('Failed to scan the QR code.').waitFor()
    await page.getByRole('button', { name: againNames }).click()
    await code(page).waitFor()
    expect(sentTo('POST /console/sign-in').map((body) => (body as { device: string }).device)).toEqual([
      'this',
      'other',
      'other',
    ])
  })

  test('says that the app is missing on a computer', async () => {
    const { replies, fail } = inDevices()
    const { page } = await open('/sign-in', replies, { facts })
    await start(page).click()
    await toThis(page).click()
    await launch(page)
    fail('order-2', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText(appMissing.en).waitFor()
  })

  test('says that time ran out, not that the app is missing, if the app was never opened', async () => {
    const { replies, fail } = inDevices()
    const { page } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    fail('order-1', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('It was not answered in time.').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toContain(appMissing.en)
  })

  test('shows the code, and why, if BankID’s app was on another network', async () => {
    const { replies, fail, calledOrders } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    fail('order-1', 'other_network')
    await page.clock.runFor(2_000)
    await code(page).waitFor()
    const alert = page.getByRole('alert', { name: 'Scan the QR code instead' })
    await alert.getByText('turn off VPN and iCloud Private Relay').waitFor()
    expect(await lookOver(page, 'bankid-other-network')).toEqual([])
    expect(sentTo('POST /console/sign-in')).toMatchObject([{ device: 'this' }, { device: 'other' }])
    // It had ended, so there is nothing to cancel.
    expect(calledOrders('POST /console/sign-in/{order_id}/cancel')).toEqual([])
    await toThis(page).click()
    await here(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('counts down the time left, silently', async () => {
    const { page } = await open(
      '/sign-in',
      {
        ...signingIn(waiting),
        'POST /console/sign-in': (call) => ({ ...begun(call), expires_at: '2026-11-20T10:05:00Z' }),
      },
      { facts },
    )
    await start(page).click()
    const timer = page.getByRole('timer')
    await timer.waitFor()
    await page.clock.pauseAt('2026-11-20T10:02:00Z')
    await page.clock.runFor(1_000)
    await eventually(() => timer.textContent()).toBe('Time left: 2:59')
    expect(await timer.evaluate((element) => element.closest('[role="status"], [aria-live]'))).toBeNull()
    await page.clock.runFor(56_000)
    await eventually(() => timer.textContent()).toBe('Time left: 2:03')
  })

  test('cancels with Escape on top of a page whose session ended, and stays open', async () => {
    let isSignedIn = true
    const { page, sentTo } = await open(
      '/signatures',
      {
        ...inDevices().replies,
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'GET /console/signatures': () => (isSignedIn ? { signatures: [], next_cursor: null } : signedOut()),
        'GET /console/apps': signedOut,
      },
      { facts },
    )
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    isSignedIn = false
    await page.getByRole('link', { name: 'Your apps' }).click()
    const over = page.getByRole('dialog')
    await over.getByRole('button', { name: startNames }).click()
    await over.getByRole('img', { name: codeNames }).waitFor()
    // The app opens no page that would replace this one.
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: null, device: 'other' }])
    await over.getByRole('button', { name: thisNames }).click()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await over.getByRole('button', { name: startNames }).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}, {}])
    expect(await over.isVisible()).toBe(true)
  })
})
