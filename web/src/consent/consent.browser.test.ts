import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { exampleConsent, exampleOrder, exampleSession } from '../testing/examples.ts'
import { inTurn, later, signedIn, signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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

  test('shows who requests what, until when and where the member is sent back to', async () => {
    const request = later(
      exampleConsent({ resources: [{ resource: 'https://reports.example/', granted: false }] }),
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

  test('signs what is ticked, in the order shown and in the page’s language', async () => {
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
        // The page itself, which does not redirect.
        return_to: address.replace('/oauth/authorize', '/consent'),
        device: 'other',
      },
    ])
  })

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

  test('that extends an access shows only what is new, and the unchanged end', async () => {
    const { permissions, companies } = exampleConsent()
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () =>
        exampleConsent({
          adds: true,
          permissions: permissions.map(({ permission }) => ({
            permission,
            granted: permission === 'company.read',
          })),
          companies: {
            ...companies,
            choices: companies.choices.map((choice) => ({ ...choice, granted: true })),
          },
        }),
    })
    await page
      .getByRole('heading', { level: 1, name: 'wants to read more of your companies’ numbers' })
      .waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(1)
    expect(await page.getByRole('radio').count()).toBe(0)
    const granted = page.getByRole('main').getByRole('listitem').getByText('Your companies')
    expect(await granted.isVisible()).toBe(false)
    await page.getByText('What it may already see').click()
    await granted.waitFor()
    await page.getByText('For \u2068Ekeby\u2069, \u2068Norrsken\u2069').waitFor()
    await page.getByText('All of it still ends on 18 February 2027').waitFor()
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

  test('with nothing new to allow returns to the app immediately', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => ({ state: 'redirect', location: callback }),
    })
    await page.waitForURL(callback)
  })

  test('never redirects to a script address', async () => {
    const { page } = await open(address, {
      ...replies,
      'POST /console/authorize': () => ({ state: 'redirect', location: 'javascript:throw new Error("ran")' }),
    })
    await page.getByRole('heading', { level: 1, name: 'Going to' }).waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
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

  test('signed by someone else says so, keeps the ticks, and can be signed again', async () => {
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

  test('after someone else signed in elsewhere says so, and starts again as them', async () => {
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
    await page.getByRole('alert').getByText('Your sign-in has changed').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Ekeby' }).isChecked()).toBe(false)
    const requests = calls.filter(({ operation }) => operation === 'POST /console/authorize')
    expect(requests.map(({ csrfToken }) => csrfToken)).toEqual(['csrf-1', 'csrf-2'])
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
})
