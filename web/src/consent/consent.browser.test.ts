import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/api-stub.ts'
import { address, callback, query, replies } from '../testing/consent-scene.ts'
import { exampleApp, exampleConsent, exampleSession } from '../testing/examples.ts'
import { later } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('A consent', () => {
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

  test('whose session was replaced by another person’s says so, and starts again as them', async () => {
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
})
