import { describe, expect, test } from 'vitest'
import { isTooWide, violations } from '../../../testing/browser/screens.ts'
import type { DocumentFacts } from '../../../src/platform/web-app/document-facts.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { expectCollectsEvery } from '../testing/collects.ts'
import { exampleOrder, exampleSession } from '../testing/examples.ts'
import { broken, inTurn, later, signedOut, unreachable } from '../testing/replies.ts'
import { type OpenedCompanyPage, startPages } from '../testing/start-pages.ts'
import type { Session } from './use-session.ts'

const open = startPages()

const phoneSize = { viewport: { width: 360, height: 740 } }
test.each([
  {
    language: 'English',
    options: { locale: 'en-GB', colorScheme: 'dark' },
    what: /^Numera stores the numbers .* send, .*\. People and apps read them back exactly, .*\.$/,
    links: { Documentation: '/docs', 'Try the demo on your own computer': '/docs/start-here' },
  },
  {
    language: 'English, of a demo',
    options: { locale: 'en-GB', facts: { demo: true } },
    what: /^Numera stores/,
    links: { Documentation: '/docs', 'Your first number in five minutes': '/docs/start-here' },
  },
  {
    language: 'Swedish, on a phone',
    options: { locale: 'sv-SE', ...phoneSize },
    what: /^I Numera sparas siffror .* skickar, .*\. Medarbetare och appar läser dem exakt .*\.$/,
    links: { Dokumentation: '/docs/sv', 'Prova demon på din egen dator': '/docs/sv/start-here' },
  },
] as const)(
  'The start page explains Numera to visitors and links to the documents: in $language',
  async ({ options, what, links }) => {
    const { page } = await open('/', { 'GET /console/session': signedOut }, { ...options })
    await page.getByRole('main').getByText(what).waitFor()
    for (const [name, href] of Object.entries(links)) {
      const link = page.getByRole('contentinfo').getByRole('link', { name, exact: true })
      expect(await link.getAttribute('href')).toBe(href)
    }
    expect(await violations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
  },
)

describe('Signing in', () => {
  const start = { name: 'Sign in with electronic identity' }

  /** A visitor starts to sign in. */
  async function startSignIn(replies: Replies, facts: DocumentFacts = {}): Promise<OpenedCompanyPage> {
    const result = await open(
      '/sign-in',
      {
        'GET /console/session': signedOut,
        'POST /console/sign-in': () => exampleOrder(),
        ...replies,
      },
      { facts },
    )
    await result.page.getByRole('button', start).click()
    return result
  }

  const phone = {
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0.0.0 Mobile Safari/537.36',
  }
  test.each([
    [1_000, 'while its code is shown', {}, { qr_text: 'bankid.1.0.2' }],
    [2_000, 'where there is no code', phone, { launch_url: 'bankid:///?autostarttoken=1' }],
  ])('with BankID polls every %d ms %s', async (intervalMs, _where, device, presentation) => {
    const { page } = await open(
      '/sign-in',
      {
        'GET /console/session': signedOut,
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation }),
        'POST /console/sign-in/{order_id}/collect': () => ({
          state: 'pending',
          hint: 'outstandingTransaction',
          presentation,
        }),
      },
      { facts: { signIn: 'bankid' }, ...device },
    )
    await expectCollectsEvery(page, intervalMs, page.getByRole('button', { name: 'Sign in with BankID' }))
  })

  test.each([
    ['refused', 'You refused in the electronic identity.'],
    ['expired', 'It was not answered in time.'],
    ['used', 'This attempt is over. Start again.'],
    ['certificate_blocked', 'could not continue (certificate_blocked)'],
    [undefined, 'This attempt is over. Start again.'],
  ])('that fails with %s says why, and can be started again', async (reason, sentence) => {
    const { page } = await startSignIn({
      'POST /console/sign-in/{order_id}/collect': inTurn<{ state: 'failed' | 'pending'; reason?: string }>(
        () => ({ state: 'failed', ...(reason !== undefined && { reason }) }),
        () => ({ state: 'pending' }),
      ),
    })
    await page.getByRole('alert', { name: 'Could not sign you in' }).getByText(sentence).waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await expect
      .poll(() => again.evaluate((button) => button === document.activeElement), { timeout: 10_000 })
      .toBe(true)
    await again.press('Enter')
    await page.getByText('Waiting for you to identify yourself').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('says that the service is unavailable, and continues once it is back', async () => {
    let reply: () => Response | { state: 'pending' | 'failed'; reason?: string } = unreachable
    const { page } = await startSignIn({ 'POST /console/sign-in/{order_id}/collect': () => reply() })
    const offline = page.getByRole('alert').getByText('The service cannot be reached')
    await offline.waitFor()
    reply = () => apiError(503, 'unavailable')
    await page.clock.runFor(2_000)
    await offline.waitFor()
    reply = () => ({ state: 'pending' })
    await page.clock.runFor(2_000)
    await offline.waitFor({ state: 'detached' })
    reply = () => apiError(404, 'not_found')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('This attempt is over').waitFor()
  })

  test('that is cancelled is cancelled at the service too, and stops polling', async () => {
    const { page, sentTo } = await startSignIn(
      {
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: {} }),
        'POST /console/sign-in/{order_id}/collect': () => ({ state: 'pending' }),
        'POST /console/sign-in/{order_id}/cancel': () => undefined,
      },
      { signIn: 'oidc' },
    )
    await page.getByText('Waiting for you').waitFor()
    expect(await page.getByRole('note').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', start).waitFor()
    await expect.poll(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    const polls = sentTo('POST /console/sign-in/{order_id}/collect').length
    await page.clock.runFor(10_000)
    expect(sentTo('POST /console/sign-in/{order_id}/collect')).toHaveLength(polls)
  })

  test.each([
    ['no answer', unreachable, 'The service could not be reached.'],
    ['503', () => apiError(503, 'unavailable'), 'The service cannot do this right now.'],
    ['429', () => apiError(429, 'rate_limited', '', { 'retry-after': '7' }), 'Try again in 7 seconds.'],
    [
      '429 for a second',
      () => apiError(429, 'rate_limited', '', { 'retry-after': '1' }),
      'Try again in 1 second',
    ],
    ['400', () => apiError(400, 'invalid_argument', 'No body.'), 'The service did not accept this: No body.'],
    ['403', () => apiError(403, 'permission_denied'), 'Your sign-in has changed'],
    [
      'a page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
      'cannot do this right now',
    ],
  ])('that cannot be started (%s) says why at the button', async (_name, reply, sentence) => {
    const { page } = await startSignIn({ 'POST /console/sign-in': reply })
    await page.getByRole('alert', { name: 'Could not sign you in' }).getByText(sentence).waitFor()
    expect(await page.getByRole('button', start).isEnabled()).toBe(true)
  })

  test('retries the session twice, then offers a button', async () => {
    // The document preloads the session. After the last attempt, the page makes three more.
    const first = later(broken())
    let reply = inTurn<Response | Promise<Response>>(first.reply, broken)
    const { page, calls } = await open('/sign-in', { 'GET /console/session': () => reply() })
    await page.getByRole('main').getByRole('status').waitFor()
    first.send()
    await page.clock.runFor(1_000)
    // The page's clock runs meanwhile.
    await expect.poll(() => calls.length).toBeGreaterThanOrEqual(2)
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('The service cannot do this right now').waitFor()
    expect(calls).toHaveLength(3)
    reply = signedOut
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', start).waitFor()
    // A visitor has not been signed out.
    expect(await page.getByText('You have been signed out').count()).toBe(0)
  })

  test('is over for a page that was preloaded before another one signed the person in', async () => {
    const { page } = await open('/sign-in', {
      'GET /console/session': inTurn<Response | Session>(signedOut, exampleSession),
    })
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
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
})

describe('Signing in for an app', () => {
  const address = '/oauth/authorize?client_id=app-1'
  const facts = { demo: true, app: { name: 'Ledger Insight', host: 'xn--ledgr-2ta.example:8443' } }

  test('is translated into Swedish', async () => {
    const { page } = await open(address, { 'GET /console/session': signedOut }, { facts, locale: 'sv-SE' })
    await page.getByText('vill läsa dina företags siffror').waitFor()
    await page.getByText('Du skickas tillbaka till').waitFor()
    await page.getByRole('note').getByText('vem som helst kan logga in som vem som helst').waitFor()
  })
})
