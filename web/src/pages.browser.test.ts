import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse } from './api/call-api.ts'
import { apiError, type Replies } from './testing/api-stub.ts'
import { exampleApp, exampleCall, exampleConsent, exampleOrder, exampleSession } from './testing/examples.ts'
import { type OpenedPage, type Pages, startPages } from './testing/open-pages.ts'

/** In the page: lets it do what it has at hand, such as taking in an answer. Its timers stand still meanwhile. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', resolve)
      port1.start()
      port2.postMessage(null)
    })
  }
}

let pages: Pages
beforeAll(async () => {
  pages = await startPages()
}, 60_000)
afterAll(() => pages?.[Symbol.asyncDispose]())

let opened: OpenedPage | undefined
afterEach(async () => {
  const { complaints } = opened!
  await opened![Symbol.asyncDispose]()
  expect(complaints).toEqual([])
})

const signedOut = (): Response => apiError(401, 'unauthenticated')
const unreachable = (): Response => Response.error()
const broken = (): Response => apiError(500, 'internal')

const signedIn: Replies = { 'GET /console/session': () => exampleSession() }

type AppList = ApiResponse<'GET /console/apps'>

function appList(apps: AppList['apps'], next_cursor: string | null = null): AppList {
  return { apps, next_cursor }
}

/** Answers with each reply in turn, and with the last one from then on. */
function inTurn<Reply>(...replies: (() => Reply)[]): () => Reply {
  return () => (replies.length > 1 ? replies.shift()! : replies[0]!)()
}

/** A reply that comes when the test says so. */
function later<Reply>(reply: Reply): { reply: () => Promise<Reply>; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  return { reply: () => promise, send: () => resolve(reply) }
}

async function open(...[path, replies, options]: Parameters<Pages['open']>): Promise<OpenedPage> {
  opened = await pages.open(path, replies, options)
  return opened
}

describe('Signing in', () => {
  const start = { name: 'Sign in with electronic identity' }

  /** Someone who is signed out starts to sign in. */
  async function startSignIn(replies: Replies): Promise<OpenedPage> {
    const result = await open('/sign-in', {
      'GET /console/session': signedOut,
      'POST /console/sign-in': () => exampleOrder(),
      ...replies,
    })
    await result.page.getByRole('button', start).click()
    return result
  }

  test('asks every two seconds how the order stands until the person has answered, then shows their companies', async () => {
    let answered = false
    const { page } = await open('/sign-in', {
      'GET /console/session': () => (answered ? exampleSession() : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': ({ path }) => {
        expect(path).toEqual(['order-1'])
        return { state: answered ? 'complete' : 'pending' }
      },
    })
    // The page's time stands still but for the steps below, and waits for each answer.
    let elapsedMs = 0
    const askedAtMs: number[] = []
    let lastAnswer: Promise<unknown> | undefined
    page.on('request', (request) => {
      if (!request.url().endsWith('/collect')) return
      askedAtMs.push(elapsedMs)
      lastAnswer = request.response().then((response) => response?.finished())
    })
    await page.getByRole('button', start).waitFor()
    await page.clock.pauseAt('2026-11-20T10:01:00Z')
    await page.getByRole('button', start).click()
    while (askedAtMs.length < 4) {
      await page.clock.runFor(100)
      await lastAnswer
      await page.evaluate(settle)
      elapsedMs += 100
    }
    for (const [index, gap] of askedAtMs.slice(1).entries()) {
      expect(Math.abs(gap - askedAtMs[index]! - 2_000)).toBeLessThanOrEqual(100)
    }
    await page.getByText('Waiting for you to identify yourself').waitFor()
    await page.getByRole('note').getByText('Nobody checks who you are here').waitFor()
    const link = page.getByRole('link', { name: 'Open the demo identity' })
    expect(await link.getAttribute('href')).toBe('https://identity.example/order-1')

    answered = true
    await page.clock.resume()
    await page.waitForURL('https://numera.test/')
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
  })

  test.each([
    ['refused', 'It was refused in the electronic identity.'],
    ['expired', 'It was not answered in time.'],
    ['used', 'This try is over. Begin again.'],
    ['certificate_blocked', 'could not go on (certificate_blocked)'],
    [undefined, 'This try is over. Begin again.'],
  ])('that fails with the reason %s says so, and can be started again', async (reason, sentence) => {
    const { page } = await startSignIn({
      'POST /console/sign-in/{order_id}/collect': inTurn<{ state: 'failed' | 'pending'; reason?: string }>(
        () => ({ state: 'failed', ...(reason !== undefined && { reason }) }),
        () => ({ state: 'pending' }),
      ),
    })
    await page.getByRole('alert', { name: 'You were not signed in' }).getByText(sentence).waitFor()
    await page.getByRole('button', start).click()
    await page.getByText('Waiting for you to identify yourself').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('goes on when the service is back, and says so while it is away', async () => {
    let reply: () => Response | { state: 'pending' | 'failed'; reason?: string } = unreachable
    const { page } = await startSignIn({ 'POST /console/sign-in/{order_id}/collect': () => reply() })
    const offline = page.getByRole('alert').getByText('There is no contact with the service')
    await offline.waitFor()
    reply = () => apiError(503, 'unavailable')
    await page.clock.runFor(2_000)
    await offline.waitFor()
    reply = () => ({ state: 'pending' })
    await page.clock.runFor(2_000)
    await offline.waitFor({ state: 'detached' })
    reply = () => apiError(404, 'not_found')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('This try is over').waitFor()
  })

  test('that is cancelled is cancelled at the service too, and asks nothing more', async () => {
    const { page, sentTo } = await startSignIn({
      'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: {} }),
      'POST /console/sign-in/{order_id}/collect': () => ({ state: 'pending' }),
      'POST /console/sign-in/{order_id}/cancel': () => undefined,
    })
    await page.getByText('Waiting for you').waitFor()
    expect(await page.getByRole('note').count()).toBe(0)
    expect(await page.getByRole('link').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', start).waitFor()
    expect(sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    const asked = sentTo('POST /console/sign-in/{order_id}/collect').length
    await page.clock.runFor(10_000)
    expect(sentTo('POST /console/sign-in/{order_id}/collect')).toHaveLength(asked)
  })

  test.each([
    ['no answer', unreachable, 'The service could not be reached.'],
    ['503', () => apiError(503, 'unavailable'), 'The service cannot do this right now.'],
    ['429', () => apiError(429, 'rate_limited', '', { 'retry-after': '7' }), 'Wait 7 seconds and try again.'],
    ['429 for a second', () => apiError(429, 'rate_limited', '', { 'retry-after': '1' }), 'Wait one second'],
    ['400', () => apiError(400, 'invalid_argument', 'No body.'), 'The service did not accept this: No body.'],
    ['403', () => apiError(403, 'permission_denied'), 'You are not signed in as you were'],
    [
      'a page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
      'cannot do this right now',
    ],
  ])('that cannot be started (%s) says why beside the button', async (_name, reply, sentence) => {
    const { page } = await startSignIn({ 'POST /console/sign-in': reply })
    await page.getByRole('alert', { name: 'You were not signed in' }).getByText(sentence).waitFor()
    expect(await page.getByRole('button', start).isEnabled()).toBe(true)
  })

  test('tries twice more to find out who is signed in, then offers to try again', async () => {
    let reply = broken
    const { page, calls } = await open('/sign-in', { 'GET /console/session': () => reply() })
    await page.getByRole('status').getByText('One moment').waitFor()
    await page.clock.runFor(1_000)
    await expect.poll(() => calls.length).toBe(2)
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('The service cannot do this right now').waitFor()
    expect(calls).toHaveLength(3)
    reply = signedOut
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', start).waitFor()
    // Who was not signed in before has not been signed out.
    expect(await page.getByText('You have been signed out').count()).toBe(0)
  })
})

describe('Consent', () => {
  const address = '/oauth/authorize?client_id=app-1&state=a%20b'
  const query = 'client_id=app-1&state=a%20b'
  const callback = 'https://ledger.example/callback?code=nac_1'
  const signing = { ...exampleOrder(), state: 'signing' as const, visible_text: 'I allow Ledger Insight …' }
  const replies: Replies = {
    ...signedIn,
    'POST /console/authorize': () => exampleConsent(),
    'POST /console/authorize/sign': () => signing,
    'POST /console/authorize/sign/{order_id}/collect': () => ({ state: 'pending' }),
  }

  test('shows who asks, for what, until when and where the answer goes', async () => {
    const request = later(
      exampleConsent({ resources: [{ resource: 'https://reports.example/', held: false }] }),
    )
    const { page, calls } = await open(address, { ...replies, 'POST /console/authorize': request.reply })
    await page.getByText('One moment').waitFor()
    request.send()
    await page
      .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read your companies’ numbers' })
      .waitFor()
    expect(await page.title()).toContain('Allow an app')
    for (const text of [
      'ledger.example',
      'Apps can only read',
      'https://reports.example/',
      '18 February 2027',
    ]) {
      await page.getByText(text).waitFor()
    }
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3)
    expect(await page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(false)
    await page.getByText('Signed in as Olivia Ägare').waitFor()
    expect(calls.filter(({ operation }) => operation === 'POST /console/authorize')).toEqual([
      { operation: 'POST /console/authorize', path: [], query: {}, body: { query }, csrfToken: 'csrf-1' },
    ])
  })

  test('signs what is ticked, in the order it is shown and in the language of the page', async () => {
    const { page, sentTo } = await open(address, {
      ...replies,
      'POST /console/authorize/sign/{order_id}/collect': () => ({ state: 'complete', location: callback }),
    })
    const box = (name: string) => page.getByRole('checkbox', { name })
    await box('Your companies').uncheck()
    await box('Your companies').check()
    await box('Ekeby').check()
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('button', { name: 'Skriv under och tillåt' }).click()
    await page.waitForURL(callback)
    expect(sentTo('POST /console/authorize/sign')).toEqual([
      {
        query,
        permissions: ['company.read', 'metrics.read'],
        companies: { every: false, company_ids: ['Ekeby', 'Norrsken'] },
        language: 'sv',
      },
    ])
  })

  test('keeps the text that is signed as it is when the page changes its language', async () => {
    const { page } = await open(address, replies)
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByText('Väntar på din underskrift').waitFor()
    const text = page.getByRole('blockquote')
    expect(await text.textContent()).toBe('I allow Ledger Insight …')
    expect(await text.getAttribute('lang')).toBe('en')
  })

  test.each([
    ['no company', ['Norrsken'], 'For which companies', 'Choose a company for which you allow this'],
    ['no permission', ['Your companies', 'Numbers'], 'The app may see', 'Tick what the app may see'],
  ])('with %s ticked marks the group when it is to be signed, and sends nothing', async (...given) => {
    const [, unticked, title, sentence] = given
    const { page, sentTo } = await open(address, {
      ...replies,
      'POST /console/authorize/deny': () => ({ location: `${callback}&error=access_denied` }),
    })
    for (const name of unticked) await page.getByRole('checkbox', { name }).uncheck()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    const group = page.getByRole('group', { name: title }).first()
    await group.getByRole('alert').getByText(sentence).waitFor()
    expect(await group.evaluate((element) => element === document.activeElement)).toBe(true)
    // What is marked is so until it is mended.
    await page.getByRole('checkbox', { name: unticked[0]! }).check()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('checkbox', { name: unticked[0]! }).uncheck()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${callback}&error=access_denied`)
    expect(sentTo('POST /console/authorize/deny')).toEqual([{ query }])
    expect(sentTo('POST /console/authorize/sign')).toEqual([])
  })

  test('hides the companies while all of them are allowed, and has the ticks again after a change of mind', async () => {
    const { page, sentTo } = await open(address, replies)
    await page.getByRole('radio', { name: 'All my companies' }).check()
    expect(await page.getByRole('checkbox', { name: 'Norrsken' }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Only these' }).check()
    expect(await page.getByRole('checkbox', { name: 'Norrsken' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'All my companies' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('blockquote').waitFor()
    expect(sentTo('POST /console/authorize/sign')).toMatchObject([{ companies: { every: true } }])
  })

  test('that adds to an access shows only what is new, and that the end stays', async () => {
    const { permissions, companies } = exampleConsent()
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () =>
        exampleConsent({
          adds: true,
          permissions: permissions.map(({ permission }) => ({
            permission,
            held: permission === 'company.read',
          })),
          companies: {
            ...companies,
            choices: companies.choices.map((choice) => ({ ...choice, held: true })),
          },
        }),
    })
    await page
      .getByRole('heading', { level: 1, name: 'wants to read more of your companies’ numbers' })
      .waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(1)
    expect(await page.getByRole('radio').count()).toBe(0)
    const held = page.getByRole('main').getByRole('listitem').getByText('Your companies')
    expect(await held.isVisible()).toBe(false)
    await page.getByText('What it may see already').click()
    await held.waitFor()
    await page.getByText('For \u2068Ekeby\u2069, \u2068Norrsken\u2069').waitFor()
    await page.getByText('all of it ends on 18 February 2027 as before').waitFor()
  })

  test('of someone without a company can only be refused', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => exampleConsent({ companies: { choices: [], every_held: false } }),
    })
    await page.getByText('You belong to no company here').waitFor()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert').getByText('You belong to no company here').waitFor()
    await page.getByRole('button', { name: 'Deny' }).waitFor()
  })

  test('with nothing new to allow goes straight back to the app', async () => {
    await open(address, {
      ...replies,
      'POST /console/authorize': () => ({ state: 'redirect', location: callback }),
    })
    await opened!.page.waitForURL(callback)
  })

  test('goes to no address that would run as a script', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => ({ state: 'redirect', location: 'javascript:throw new Error("ran")' }),
    })
    await page.getByRole('heading', { level: 1, name: 'Going to' }).waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
  })

  test.each([400, 404])('of a request that the service answers with %d cannot be used', async (status) => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => apiError(status, 'invalid_argument'),
    })
    await page.getByRole('heading', { level: 1, name: 'This request cannot be used' }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  })

  test('that could not be loaded can be tried again, and is asked for only then', async () => {
    const { page, sentTo } = await open(address, {
      ...replies,
      'POST /console/authorize': inTurn<Response | ApiResponse<'POST /console/authorize'>>(
        () => apiError(503, 'unavailable'),
        exampleConsent,
      ),
    })
    await page.getByRole('alert').getByText('The service cannot do this right now').waitFor()
    await page.clock.runFor(60_000)
    expect(sentTo('POST /console/authorize')).toHaveLength(1)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  })

  test('that is not accepted says why and keeps what is ticked', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize/sign': inTurn<Response | typeof signing>(
        () => apiError(409, 'conflict', 'You are no longer a member of Norrsken.'),
        () => signing,
      ),
    })
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert').getByText('did not accept this: You are no longer a member').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('blockquote').waitFor()
  })

  test('that someone else signed says so, keeps what is ticked, and can be signed again', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize/sign/{order_id}/collect': inTurn<{
        state: 'failed' | 'complete'
        reason?: string
        location?: string
      }>(
        () => ({ state: 'failed', reason: 'other_person' }),
        () => ({ state: 'complete', location: callback }),
      ),
      'POST /console/authorize/sign': inTurn(
        () => signing,
        () => ({ ...signing, order_id: 'order-2' }),
      ),
    })
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert', { name: 'It was not signed' }).getByText('Somebody else answered').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.waitForURL(callback)
  })

  test('whose session has ended says that nothing was sent, and lets one sign in again', async () => {
    let session: () => Response | ApiResponse<'GET /console/session'> = exampleSession
    const { page } = await open(address, {
      ...replies,
      'GET /console/session': () => session(),
      'POST /console/authorize/sign': signedOut,
    })
    await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
    session = signedOut
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('status').getByText('You have been signed out, and nothing was sent').waitFor()
    await page.getByText('Nothing is allowed by that.').waitFor()
  })

  test('after someone else signed in elsewhere says so, and begins again as they', async () => {
    let session = exampleSession()
    const { page, calls } = await open(address, {
      ...replies,
      'GET /console/session': () => session,
      'POST /console/authorize/sign': () => apiError(403, 'permission_denied'),
    })
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    session = exampleSession({ member_id: 'member-2', name: 'Lena Läsare', csrf_token: 'csrf-2' })
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByText('Signed in as Lena Läsare').waitFor()
    await page.getByRole('alert').getByText('You are not signed in as you were').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(false)
    const asked = calls.filter(({ operation }) => operation === 'POST /console/authorize')
    expect(asked.map(({ csrfToken }) => csrfToken)).toEqual(['csrf-1', 'csrf-2'])
  })

  test('has a way out for who is someone else', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/sign-out': () => undefined,
    })
    await page.getByRole('button', { name: 'Not you? Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
    expect(await page.getByText('You have been signed out').count()).toBe(0)
  })
})

describe('Your apps', () => {
  test('says that there is none, and how one comes to be', async () => {
    const { page } = await open('/apps', { ...signedIn, 'GET /console/apps': () => appList([]) })
    await page.getByRole('heading', { level: 2, name: 'No app reads for you' }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  test('says what each app sees, where, since when and until when', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () =>
        appList([
          exampleApp({ last_called_at: '2026-11-20T09:30:00Z', resources: ['https://reports.example/'] }),
          exampleApp({
            connection_id: 'connection-2',
            permissions: ['metrics.read'],
            companies: { every: true, chosen: [] },
            state: 'ended',
            ended_at: '2026-11-10T09:00:00Z',
            ended_by: 'expiry',
          }),
        ]),
    })
    const cards = page.getByRole('main').getByRole('listitem')
    await page.getByRole('button', { name: 'Show one that has ended' }).click()
    await cards.nth(1).waitFor()
    const facts = async (card: number): Promise<string[][]> =>
      (await cards.nth(card).locator('dl > div').allInnerTexts()).map((fact) => fact.split('\n'))
    expect(await facts(0)).toEqual([
      ['May see', 'Your companies, Numbers'],
      ['Companies', 'Ekeby Handel AB'],
      ['Also at', 'https://reports.example/'],
      ['Allowed', '1 November 2026'],
      ['Ends', '30 January 2027'],
      ['Last call', '20 Nov 2026, 10:30'],
    ])
    expect(await facts(1)).toEqual([
      ['May see', 'Numbers'],
      ['Companies', 'All your companies, later ones too'],
      ['Allowed', '1 November 2026'],
      ['Ended by itself', '10 November 2026'],
      ['Last call', 'None yet'],
    ])
    expect(await cards.nth(1).getByRole('button', { name: 'End access' }).count()).toBe(0)
  })

  test('shows more on request until there is no more, and keeps what is there when that fails', async () => {
    let fails = true
    const { page, calls } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': ({ query: { cursor } }) => {
        if (cursor === undefined) return appList([exampleApp()], 'next')
        if (fails) return apiError(400, 'invalid_argument', 'Too late.')
        return appList([exampleApp({ connection_id: 'connection-2', client_name: 'Kvartalsrapporten' })])
      },
    })
    const more = page.getByRole('button', { name: 'Show more' })
    await more.click()
    await page.getByRole('alert').getByText('did not accept this: Too late.').waitFor()
    await page.getByRole('heading', { name: 'Ledger Insight' }).waitFor()
    fails = false
    await more.click()
    await page.getByRole('heading', { name: 'Kvartalsrapporten' }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Ledger Insight',
      'Kvartalsrapporten',
    ])
    expect(await more.count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(calls.at(-1)!.query).toEqual({ cursor: 'next' })
  })

  test('that cannot be loaded can be tried again', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': inTurn<Response | AppList>(
        () => apiError(429, 'rate_limited', '', { 'retry-after': '3' }),
        () => appList([]),
      ),
    })
    await page.getByRole('alert').getByText('Wait 3 seconds').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No app reads for you' }).waitFor()
  })

  test('end one app only after a second question, and leave the others as they are', async () => {
    const { page, calls } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () =>
        appList([
          exampleApp(),
          exampleApp({ connection_id: 'connection-2', client_name: 'Kvartalsrapporten' }),
        ]),
      'POST /console/apps/{connection_id}/end': ({ path }) =>
        exampleApp({
          connection_id: path[0]!,
          client_name: 'Kvartalsrapporten',
          state: 'ended',
          ended_at: '2026-11-20T10:00:00Z',
          ended_by: 'member',
        }),
    })
    const card = page.getByRole('listitem').filter({ hasText: 'Kvartalsrapporten' })
    const ask = card.getByRole('button', { name: /^End access ?: Kvartalsrapporten$/ })
    const dialog = page.getByRole('dialog')
    await ask.click()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(calls.some(({ operation }) => operation === 'POST /console/apps/{connection_id}/end')).toBe(false)

    await ask.click()
    await dialog.getByRole('button', { name: 'End access' }).click()
    await dialog.waitFor({ state: 'detached' })
    await card.getByText('Ended by you').waitFor()
    expect(await page.getByRole('status').textContent()).toContain('Kvartalsrapporten')
    expect(await ask.count()).toBe(0)
    const other = page.getByRole('listitem').filter({ hasText: 'Ledger Insight' })
    expect(await other.getByText('Active').count()).toBe(1)
    expect(calls.at(-1)).toMatchObject({ path: ['connection-2'], body: {}, csrfToken: 'csrf-1' })
  })

  test('put the focus on the name of the app whose access has ended, since the button is gone', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'POST /console/apps/{connection_id}/end': () =>
        exampleApp({ state: 'ended', ended_at: '2026-11-20T10:00:00Z', ended_by: 'member' }),
    })
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
    expect(await page.locator(':focus').textContent()).toBe('Ledger Insight')
  })

  test('say in the question itself that ending failed, and let one try again', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'POST /console/apps/{connection_id}/end': inTurn<Response | AppList['apps'][number]>(unreachable, () =>
        exampleApp({ state: 'ended', ended_at: '2026-11-20T10:00:00Z', ended_by: 'member' }),
      ),
    })
    await page.getByRole('button', { name: 'End access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'End access' }).click()
    await dialog.getByRole('alert').getByText('The service could not be reached').waitFor()
    expect(await page.getByRole('main').getByText('Active').count()).toBe(1)
    await dialog.getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
  })

  test('show what an app did in a member’s words, calls of one kind in one line, with what was refused', async () => {
    const many = Array.from({ length: 20 }, (_, index) => exampleCall({ call_id: `call-${index}` }))
    const { page, calls } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'GET /console/apps/{connection_id}/calls': ({ query: { cursor } }) =>
        cursor === undefined
          ? { calls: many, next_cursor: 'older' }
          : {
              calls: [
                exampleCall({ call_id: 'oldest', company: null, status: 403, code: 'permission_denied' }),
              ],
              next_cursor: null,
            },
    })
    await page.getByRole('button', { name: /^Show calls ?: Ledger Insight$/ }).click()
    const shown = page.getByText('Read numbers')
    await page.getByText('Read numbers 20 times').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('Refused: you do not allow it that').waitFor()
    await page.getByText('no company', { exact: true }).waitFor()
    expect(await shown.count()).toBe(2)
    expect(calls.slice(-2).map(({ query }) => query)).toEqual([
      { limit: '100' },
      { limit: '100', cursor: 'older' },
    ])
    await page.getByRole('button', { name: 'Hide calls' }).click()
    expect(await shown.count()).toBe(0)
  })

  test('of one name are told apart by host, and by when they were allowed', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () =>
        appList([
          exampleApp(),
          exampleApp({ connection_id: 'connection-2', redirect_host: 'other.example' }),
          exampleApp({
            connection_id: 'connection-3',
            client_name: 'Kvartalsrapporten',
            consented_at: '2026-11-02T09:00:00Z',
          }),
          exampleApp({ connection_id: 'connection-4', client_name: 'Kvartalsrapporten' }),
        ]),
    })
    await page.getByRole('heading', { name: 'Ledger Insight' }).first().waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Ledger Insight ledger.example',
      'Ledger Insight other.example',
      'Kvartalsrapporten ledger.example, allowed 2 Nov 2026, 10:00',
      'Kvartalsrapporten ledger.example, allowed 1 Nov 2026, 10:00',
    ])
  })

  test('that have ended fold away, and one that is ended now stays until the page is left', async () => {
    const ended = { state: 'ended', ended_at: '2026-11-10T09:00:00Z', ended_by: 'member' } as const
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () =>
        appList([
          exampleApp(),
          exampleApp({ connection_id: 'connection-2', client_name: 'Kvartalsrapporten', ...ended }),
        ]),
      'POST /console/apps/{connection_id}/end': () => exampleApp(ended),
    })
    const names = () => page.getByRole('heading', { level: 2 }).allTextContents()
    const fold = page.getByRole('button', { name: 'Show one that has ended' })
    await fold.waitFor()
    expect(await names()).toEqual(['Ledger Insight'])
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
    expect(await names()).toEqual(['Ledger Insight'])
    await fold.click()
    expect(await names()).toEqual(['Ledger Insight', 'Kvartalsrapporten'])
  })

  test('show of an app that has not called yet that it has not', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'GET /console/apps/{connection_id}/calls': () => ({ calls: [], next_cursor: null }),
    })
    await page.getByRole('button', { name: 'Show calls' }).click()
    await page.getByText('The app has not called yet.').waitFor()
  })
})

describe('The language', () => {
  const replies: Replies = {
    ...signedIn,
    'GET /console/apps': () => ({ apps: [exampleApp()], next_cursor: null }),
  }

  test('changes at once for texts, dates and the document, and is the same on the next visit', async () => {
    const { page, calls } = await open('/apps', replies)
    await page.getByText('1 November 2026').waitFor()
    const called = calls.length
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
    await page.getByText('1 november 2026').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('sv')
    expect(await page.title()).toBe('Dina appar · Numera')
    expect(calls).toHaveLength(called)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
  })

  test('is English for a browser that prefers one that the pages do not have', async () => {
    const { page } = await open('/apps', replies, { locale: 'fi-FI' })
    await page.getByRole('heading', { level: 1, name: 'Your apps' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('changes in a browser that stores nothing, too', async () => {
    const { page } = await open('/apps', replies)
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('No', 'SecurityError') } })",
    )
    await page.reload()
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
  })
})
