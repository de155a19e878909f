import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError } from '../testing/api-stub.ts'
import { exampleApp } from '../testing/examples.ts'
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
