import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { apiError, type Replies } from '../testing/api-stub.ts'
import {
  againNames,
  begun,
  code,
  type Collected,
  collectSignIn,
  eventually,
  facts,
  here,
  iPhone,
  launch,
  launch_url,
  pending,
  signingIn,
  signingInOn,
  type SignInProgress,
  start,
  toOther,
  unanswered,
  waiting,
  waitingHere,
} from '../testing/bankid-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

/** A sign-in with BankID on this device, which is complete once there is a session. */
function signingInHere(isSignedIn: () => boolean): Replies {
  return signingInOn(() => (isSignedIn() ? { state: 'complete' } : waitingHere()), isSignedIn)
}

/** A sign-in that never succeeds. */
function failingOn(collect: () => Collected): Replies {
  return signingInOn(collect, () => false)
}

/** Completes the first call after the sign-in, and answers later ones with `next`. */
function inTurnOnce(
  isAnswered: () => boolean,
  next: () => SignInProgress | Response,
): () => SignInProgress | Response {
  let isUsed = false
  return () => {
    if (!isAnswered()) return pending('outstandingTransaction')
    if (isUsed) return next()
    isUsed = true
    return { state: 'complete' }
  }
}

describe('A sign-in continues', () => {
  const title = { level: 1, name: 'Your signatures' } as const

  test('after a reload, on the same device and with the same progress', async () => {
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/signatures?a=%C3%A4',
      signingInHere(() => isSignedIn),
      { ...iPhone, facts },
    )
    await start(page).click()
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    // No address that opens the app is stored.
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).toContain('order-1')
    expect(kept).not.toContain('67df3917')
    await page.reload()
    await page.getByText('Trying to start your BankID app.').waitFor()
    await here(page).waitFor()
    expect(await toOther(page).count()).toBe(1)
    isSignedIn = true
    await page.clock.runFor(2_000)
    await page.getByRole('heading', title).waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/signatures?a=%C3%A4', device: 'this' }])
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test.each<[string, () => SignInProgress | Response]>([
    ['that it was collected', () => ({ state: 'failed', reason: 'used' })],
    // The order's cookie has expired.
    ['of no such order', () => apiError(404, 'not_found')],
  ])('in the tab that the person returns to, and in the first tab after %s', async (_what, next) => {
    let isSignedIn = false
    const { page } = await open(
      '/signatures',
      signingInOn(
        inTurnOnce(() => isSignedIn, next),
        () => isSignedIn,
      ),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    const second = await page.context().newPage()
    await second.goto('https://numera.test/signatures')
    await code(second).waitFor()
    isSignedIn = true
    await second.getByRole('heading', title).waitFor()
    await page.clock.runFor(2_000)
    await page.getByRole('heading', title).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test.each<[string, () => SignInProgress | Response]>([
    ['another browser began', () => apiError(404, 'not_found')],
    ['is over', () => ({ state: 'failed', reason: 'ended' })],
    ['was not scanned', () => ({ state: 'failed', reason: 'startFailed' })],
  ])('only if possible: an order that %s is dropped silently', async (_name, answer) => {
    let reply: () => SignInProgress | Response = waiting
    const { page } = await open(
      '/signatures',
      failingOn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    // The old page is gone by then.
    await page.goto('https://elsewhere.test/')
    reply = answer
    await page.goto('https://numera.test/signatures')
    await start(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await eventually(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test('with the outcome in the app, which is shown', async () => {
    let reply: () => SignInProgress = waitingHere
    const { page } = await open(
      '/signatures',
      failingOn(() => reply()),
      { ...iPhone, facts },
    )
    await start(page).click()
    // Without the app, the browser leaves the page.
    await here(page).click()
    await page.waitForURL(launch_url)
    reply = () => ({ state: 'failed', reason: 'userCancel' })
    await page.goto('https://numera.test/signatures')
    await page.getByRole('alert').getByText('The action was cancelled.').waitFor()
  })

  test('from an unknown address, and returns to the start page', async () => {
    const { page, sentTo } = await open(
      '/companies/1/unknown',
      {
        ...signingIn(waitingHere),
        'POST /console/sign-in': (call) =>
          (call.body as { return_to: string }).return_to === '/'
            ? begun(call)
            : Response.json(
                { code: 'invalid_argument', message: 'no page', field: 'return_to' },
                { status: 400 },
              ),
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toMatchObject([
      { return_to: '/companies/1/unknown' },
      { return_to: '/' },
    ])
  })

  test('without a return address if the page has a fragment, which stays', async () => {
    const { page, sentTo } = await open(
      '/invitations#token-1',
      { ...signingIn(waitingHere), 'POST /console/invitations/show': () => apiError(404, 'not_found') },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: null, device: 'this' }])
    expect(page.url()).toBe('https://numera.test/invitations#token-1')
  })

  test('neither after 15 minutes nor with data that no page wrote', async () => {
    const { page, calls } = await open(
      '/signatures',
      signingInOn(waiting, () => false),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    await page.evaluate(() => {
      const key = 'numera.order.sign-in'
      const kept = JSON.parse(localStorage.getItem(key)!) as { forgottenAtMs: number }
      localStorage.setItem(key, JSON.stringify({ ...kept, forgottenAtMs: Date.now() - 1 }))
    })
    await page.reload()
    await start(page).waitFor()
    await page.evaluate(() => localStorage.setItem('numera.order.sign-in', '{"order_id":'))
    calls.length = 0
    await page.reload()
    await start(page).waitFor()
    await expect
      .poll(() => calls.map(({ operation }) => operation))
      .toEqual(['GET /console/session', 'GET /console/session'])
  })
})

/**
 * The page aborts the call that had the outcome of a sign-in.
 *
 * @param comes whether the response broke off after its headers, which contain the session
 */
async function giveUp(comes: boolean): Promise<Page> {
  let reply: () => Collected = waiting
  let isSignedIn = false
  const { page, sentTo } = await open(
    '/signatures',
    signingInOn(
      () => reply(),
      () => isSignedIn,
    ),
    { facts },
  )
  await start(page).click()
  await code(page).waitFor()
  const pollsBefore = sentTo(collectSignIn).length
  reply = unanswered
  await page.clock.runFor(2_000)
  await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
  isSignedIn = comes
  reply = () => ({ state: 'failed', reason: 'used' })
  // The aborted call, and the next one.
  await page.clock.runFor(10_000)
  return page
}

describe('A sign-in whose response was lost and is already collected', () => {
  test('succeeds if its session arrived', async () => {
    const page = await giveUp(true)
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('is over if it did not, and can be started again', async () => {
    const page = await giveUp(false)
    await page.getByRole('alert').getByText('This attempt is over. Start again.').waitFor()
    await page.getByRole('button', { name: againNames }).waitFor()
  })
})
