import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { Replies } from '../testing/api-stub.ts'
import { exampleApp, exampleConsent, exampleOrder, exampleSession } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { type OpenedCompanyPage, startPages } from '../testing/start-pages.ts'

const open = startPages()

const start = { name: 'Sign in with electronic identity' }

/** A visitor starts to sign in. */
async function startSignIn(replies: Replies): Promise<OpenedCompanyPage> {
  const result = await open('/sign-in', {
    'GET /console/session': signedOut,
    'POST /console/sign-in': () => exampleOrder(),
    ...replies,
  })
  await result.page.getByRole('button', start).click()
  return result
}

describe('Signing in', () => {
  test('begins with a card with one title, and a mark on a demo', async () => {
    const { page } = await open('/sign-in', { 'GET /console/session': signedOut }, { facts: { demo: true } })
    await page.getByRole('button', start).waitFor()
    expect(await page.getByText('Sign in', { exact: true }).count()).toBe(1)
    await page.getByRole('note').getByText('anyone can sign in as anyone').waitFor()
    expect(await page.getByRole('banner').innerText()).toContain('Demo')
    expect(await lookOver(page, 'sign-in')).toEqual([])
  })

  test('has no demo mark outside a demo', async () => {
    const { page } = await open('/sign-in', { 'GET /console/session': signedOut })
    await page.getByRole('button', start).waitFor()
    expect(await page.getByText('Demo', { exact: true }).count()).toBe(0)
  })

  test('focuses the heading of each step, when it starts and when it is cancelled', async () => {
    const { page } = await startSignIn({
      'POST /console/sign-in/{order_id}/collect': () => ({ state: 'pending' }),
      'POST /console/sign-in/{order_id}/cancel': () => undefined,
    })
    const focused = () => page.locator(':focus').textContent()
    await page.getByRole('heading', { level: 1, name: 'Identify yourself' }).waitFor()
    await expect.poll(focused).toBe('Identify yourself')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await expect.poll(focused).toBe('Sign in')
    // A heading is not a control, so it has no focus ring.
    expect(await page.locator(':focus').evaluate((h1) => getComputedStyle(h1).outlineStyle)).toBe('none')
  })

  test('keeps the focus when the language changes', async () => {
    const { page } = await open('/sign-in', { 'GET /console/session': signedOut })
    await page.getByRole('button', { name: 'Svenska' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Logga in' }).waitFor()
    expect(await page.locator(':focus').textContent()).toBe('English')
  })

  test('shows a refusal by the person calmly, and an error as one', async () => {
    let reason = 'refused'
    const { page } = await startSignIn({
      'POST /console/sign-in/{order_id}/collect': () => ({ state: 'failed' as const, reason }),
    })
    const alert = page.getByRole('alert', { name: 'Could not sign you in' })
    const background = () => alert.evaluate((element) => getComputedStyle(element).backgroundColor)
    await alert.getByText('You refused').waitFor()
    const neutral = await background()
    reason = 'expired'
    await page.getByRole('button', { name: 'Try again' }).click()
    await alert.getByText('It was not answered in time').waitFor()
    expect(await background()).not.toBe(neutral)
  })
})

/** In the page: the colours of an element. */
function getColours(element: Element): string[] {
  const { backgroundColor, color } = getComputedStyle(element)
  return [backgroundColor, color]
}

describe('Signing in for an app', () => {
  const address = '/oauth/authorize?client_id=app-1'
  const facts = { demo: true, app: { name: 'Ledger Insight', host: 'xn--ledgr-2ta.example:8443' } }

  test('names the app and its host before sign-in and at each step, next to the demo mark', async () => {
    const { page, calls } = await open(
      address,
      {
        'GET /console/session': signedOut,
        'POST /console/sign-in': () => exampleOrder(),
        'POST /console/sign-in/{order_id}/collect': () => ({ state: 'pending' }),
      },
      { facts },
    )
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const said = async (): Promise<string> =>
      (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
    expect(await said()).toMatch(
      /^Sign in L Ledger Insight wants to read your companies’ numbers You will be sent back to xn--ledgr-2ta\.example:8443 Anyone can register/,
    )
    expect(await page.getByRole('banner').innerText()).toContain('Demo')
    await page.getByRole('note').getByText('anyone can sign in as anyone').waitFor()
    // The app is known without a call.
    expect(calls.map(({ operation }) => operation)).toEqual(['GET /console/session'])
    expect(await lookOver(page, 'sign-in-for-app')).toEqual([])
    await page.getByRole('button', { name: /electronic identity|e-legitimation/ }).click()
    await page.getByRole('heading', { level: 1, name: /Identify yourself|Legitimera dig/ }).waitFor()
    expect(await said()).toContain('xn--ledgr-2ta.example:8443')
  })

  test('isolates a hostile name: it shifts nothing, has none of our colours, and is no markup', async () => {
    const name = 'שלום <b>Numera</b> {{host}} $t(ui.more)'
    const { page } = await open(
      address,
      { 'GET /console/session': signedOut },
      { facts: { app: { name, host: 'evil.example' } } },
    )
    const shown = page.locator('bdi', { hasText: 'Numera' })
    await shown.waitFor()
    expect(await shown.textContent()).toBe(name)
    const letter = await page.getByText('ש', { exact: true }).evaluate(getColours)
    const ours = await page.getByRole('button', start).evaluate(getColours)
    expect(letter.filter((colour) => ours.includes(colour))).toEqual([])
    expect(await page.getByText('evil.example').isVisible()).toBe(true)
    expect(await lookOver(page, 'sign-in-for-hostile-app')).toEqual([])
  })

  test('is translated into Swedish', async () => {
    const { page } = await open(address, { 'GET /console/session': signedOut }, { facts, locale: 'sv-SE' })
    await page.getByText('vill läsa dina företags siffror').waitFor()
    await page.getByText('Du skickas tillbaka till').waitFor()
    await page.getByRole('note').getByText('vem som helst kan logga in som vem som helst').waitFor()
  })
})

describe('A consent', () => {
  const address = '/oauth/authorize?client_id=app-1'
  const replies: Replies = {
    'GET /console/session': () => exampleSession(),
    'POST /console/authorize': () => exampleConsent(),
  }

  test('names the same last day as the signed text in any time zone', async () => {
    // Already the next day in Sweden, whose calendar the signed text uses.
    const late = '2027-02-18T23:30:00Z'
    const { page } = await open(
      address,
      {
        ...replies,
        'POST /console/authorize': () => exampleConsent({ ends_at: late }),
        'GET /console/apps': () => ({ apps: [exampleApp({ expires_at: late })], next_cursor: null }),
      },
      { timezoneId: 'America/New_York' },
    )
    await page.getByText('Ends automatically on 19 February 2027.').waitFor()
    await page.goto('https://numera.test/apps')
    await page.getByText('19 February 2027').waitFor()
  })

  test('is divided by lines like every card', async () => {
    const { page } = await open(address, replies)
    const parts = page.getByRole('main').locator('div:has(> [role=group]) > *')
    await parts.first().waitFor()
    const shadows = await parts.evaluateAll((all) => all.map((part) => getComputedStyle(part).boxShadow))
    expect(shadows.length).toBeGreaterThan(3)
    expect(shadows.map((shadow) => shadow !== 'none')).toEqual(shadows.map((_shadow, place) => place > 0))
  })

  test('whose script fails to load says so, and works after a reload', async () => {
    const { page, complaints } = await open(address, replies)
    await page.route('**/consent-page*.js', (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
    await page.unroute('**/consent-page*.js')
    await page.getByRole('link', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
    // The browser's own console error is expected.
    complaints.length = 0
  })
})
