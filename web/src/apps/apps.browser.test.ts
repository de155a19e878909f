import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { exampleApp, exampleCall } from '../testing/examples.ts'
import { inTurn, signedIn, unreachable } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

type AppList = ApiResponse<'GET /console/apps'>

function appList(apps: AppList['apps'], next_cursor: string | null = null): AppList {
  return { apps, next_cursor }
}

describe('Your apps', () => {
  test('explains how to get the first one', async () => {
    const { page } = await open('/apps', { ...signedIn, 'GET /console/apps': () => appList([]) })
    await page.getByRole('heading', { level: 2, name: 'You have not allowed any apps' }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  test('shows what each app sees, where, since when and until when', async () => {
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
    await page.getByRole('button', { name: 'Show 1 ended' }).click()
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
      ['Companies', 'All your companies, including new ones'],
      ['Allowed', '1 November 2026'],
      ['Expired', '10 November 2026'],
      ['Last call', 'None yet'],
    ])
    expect(await cards.nth(1).getByRole('button', { name: 'End access' }).count()).toBe(0)
  })

  test('loads more on request, and keeps what is shown when that fails', async () => {
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

  test('offer to retry when loading fails', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': inTurn<Response | AppList>(
        () => apiError(429, 'rate_limited', '', { 'retry-after': '3' }),
        () => appList([]),
      ),
    })
    await page.getByRole('alert').getByText('Too many attempts. Try again in 3 seconds.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You have not allowed any apps' }).waitFor()
  })

  test('end one app only after confirmation, and leave the others unchanged', async () => {
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
    await dialog.getByRole('button', { name: 'Cancel' }).click()
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

  test('move the focus to the name of the ended app, since the button is gone', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'POST /console/apps/{connection_id}/end': () =>
        exampleApp({ state: 'ended', ended_at: '2026-11-20T10:00:00Z', ended_by: 'member' }),
    })
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Ledger Insight')
  })

  test('show a failed ending in the dialog, and allow a retry', async () => {
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

  test('show what an app did in plain words, similar calls in one line, including refused ones', async () => {
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
    await page.getByText('Refused: you have not allowed this').waitFor()
    await page.getByText('no company', { exact: true }).waitFor()
    expect(await shown.count()).toBe(2)
    expect(calls.slice(-2).map(({ query }) => query)).toEqual([
      { limit: '100' },
      { limit: '100', cursor: 'older' },
    ])
    await page.getByRole('button', { name: 'Hide calls' }).click()
    expect(await shown.count()).toBe(0)
  })

  test('with the same name are distinguished by host and by date', async () => {
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

  test('that have ended are collapsed, and one ended now stays visible until the page is left', async () => {
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
    const fold = page.getByRole('button', { name: 'Show 1 ended' })
    await fold.waitFor()
    expect(await names()).toEqual(['Ledger Insight'])
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
    expect(await names()).toEqual(['Ledger Insight'])
    await fold.click()
    expect(await names()).toEqual(['Ledger Insight', 'Kvartalsrapporten'])
  })

  test('show that an app has not called yet', async () => {
    const { page } = await open('/apps', {
      ...signedIn,
      'GET /console/apps': () => appList([exampleApp()]),
      'GET /console/apps/{connection_id}/calls': () => ({ calls: [], next_cursor: null }),
    })
    await page.getByRole('button', { name: 'Show calls' }).click()
    await page.getByText('There are no calls yet.').waitFor()
  })
})

describe('The language', () => {
  const replies: Replies = {
    ...signedIn,
    'GET /console/apps': () => ({ apps: [exampleApp()], next_cursor: null }),
  }

  test('changes texts, dates and the document immediately, and persists', async () => {
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

  test('defaults to English', async () => {
    const { page } = await open('/apps', replies, { locale: 'fi-FI' })
    await page.getByRole('heading', { level: 1, name: 'Your apps' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('changes in a browser without storage too', async () => {
    const { page } = await open('/apps', replies)
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('No', 'SecurityError') } })",
    )
    await page.reload()
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
  })
})
