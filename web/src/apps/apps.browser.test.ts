import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { exampleApp, exampleCall } from '../testing/examples.ts'
import { signedIn } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

type AppList = ApiResponse<'GET /console/apps'>

function appList(apps: AppList['apps'], next_cursor: string | null = null): AppList {
  return { apps, next_cursor }
}

describe('Your apps', () => {
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
})
