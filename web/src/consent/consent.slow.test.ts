import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError } from '../testing/api-stub.ts'
import { address, callback, query, replies, signing } from '../testing/consent-scene.ts'
import { exampleConsent, exampleSession } from '../testing/examples.ts'
import { inTurn, signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('A consent', () => {
  test('keeps the text to be signed when the page’s language changes', async () => {
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
    ['no company', ['Norrsken'], 'For which companies', 'Choose a company, or deny the app'],
    ['no permission', ['Your companies', 'Numbers'], 'The app may see', 'Choose what the app may see'],
  ])('with %s ticked marks the group on signing, and sends nothing', async (...given) => {
    const [, unticked, title, sentence] = given
    const { page, sentTo } = await open(address, {
      ...replies,
      'POST /console/authorize/deny': () => ({ location: `${callback}&error=access_denied` }),
    })
    for (const name of unticked) await page.getByRole('checkbox', { name }).uncheck()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    const group = page.getByRole('group', { name: title }).first()
    await group.getByRole('alert').getByText(sentence).waitFor()
    await expect.poll(() => group.evaluate((element) => element === document.activeElement)).toBe(true)
    // Marks stay until the choice is made.
    await page.getByRole('checkbox', { name: unticked[0]! }).check()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('checkbox', { name: unticked[0]! }).uncheck()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${callback}&error=access_denied`)
    expect(sentTo('POST /console/authorize/deny')).toEqual([{ query }])
    expect(sentTo('POST /console/authorize/sign')).toEqual([])
  })

  test('hides the companies while all are allowed, and keeps their ticks', async () => {
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

  test('of a member without a company can only be denied', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => exampleConsent({ companies: { choices: [], every_granted: false } }),
    })
    await page.getByText('You do not belong to a company here').waitFor()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert').getByText('You do not belong to a company here').waitFor()
    await page.getByRole('button', { name: 'Deny' }).waitFor()
  })

  test.each([400, 404])('cannot be used for a request answered with %d', async (status) => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => apiError(status, 'invalid_argument'),
    })
    await page.getByRole('heading', { level: 1, name: 'This request cannot be used' }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  })

  test('that could not be loaded is requested again only on retry', async () => {
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

  test('that is refused says why and keeps the ticks', async () => {
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

  test('signed by another person says so, keeps the ticks, and can be signed again', async () => {
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
    await page.getByRole('alert', { name: 'Could not sign' }).getByText('Someone else answered').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.waitForURL(callback)
  })

  test('whose session has ended says that nothing was sent, and offers to sign in again', async () => {
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
    await page.getByText('Signing in does not give it access.').waitFor()
  })

  test('lets a person sign out who is not the member', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/sign-out': () => undefined,
    })
    await page.getByRole('button', { name: 'Not you? Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
    expect(await page.getByText('You have been signed out').count()).toBe(0)
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
