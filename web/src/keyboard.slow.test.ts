import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ApiResponse } from './api/call-api.ts'
import type { Replies } from './testing/api-stub.ts'
import { exampleReport, exampleReportList, exampleTrace } from './testing/example-reports.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleOrder,
  exampleSession,
  exampleSource,
} from './testing/examples.ts'
import { asPattern, getFocusedName, tabToName } from './testing/keyboard.ts'
import { type OpenedCompanyPage, startPages } from './testing/start-pages.ts'

// What a developer and a reader do, by keyboard only: nothing is clicked, filled in or focused in other ways.

const openPage = startPages()

let opened: OpenedCompanyPage
let page: Page

const company = exampleCompany()
const at = (path: string): string => `/companies/${company.company_id}${path}`

async function open(path: string, replies: Replies): Promise<void> {
  opened = await openPage(at(path), {
    'GET /console/session': () => exampleSession({ companies: [company] }),
    // Preloaded, since its link had the focus on the way.
    'GET /console/companies/{company_id}/reports': () => exampleReportList(),
    ...replies,
  })
  page = opened.page
}

const focused = (): Promise<string> => getFocusedName(page)
const tabTo = (name: string | RegExp): Promise<string[]> => tabToName(page, name)

const hasFocus = (name: string | RegExp) => expect.poll(focused, { timeout: 10_000 }).toMatch(asPattern(name))

/** Waits until the page has loaded everything. */
const untilLoaded = (): Promise<void> => page.getByText('One moment …').first().waitFor({ state: 'detached' })

/** Waits for a page by its heading, since the link to it may have its name. */
async function hasOpened(title: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: title, exact: true })
  await expect
    .poll(() => heading.evaluate((element) => element === document.activeElement), { timeout: 10_000 })
    .toBe(true)
  await untilLoaded()
}

const press = (key: string): Promise<void> => page.keyboard.press(key)
const write = (text: string): Promise<void> => page.keyboard.type(text)

/** Continues to the next step of the form. */
async function next(): Promise<void> {
  await tabTo('Next')
  await press('Enter')
}

type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>
type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/preview'>

const field = (name: string, type: 'timestamp' | 'number' | 'text'): ReadExample['fields'][number] => ({
  name,
  type,
  personal: false,
  personal_guess: null,
  filled: 1,
  examples: [],
})

const readExample: ReadExample = {
  format: 'csv',
  encoding: 'utf-8',
  rows: 1,
  fields: [field('sold_at', 'timestamp'), field('amount', 'number'), field('till', 'text')],
  event_time: 'sold_at',
  warnings: [],
}

const preview: Preview = {
  of: 'example',
  sandbox: false,
  deliveries: [],
  complete: true,
  rows_read: 1,
  rows_accepted: 1,
  rows_refused: 0,
  metrics: [],
  samples: [],
  samples_truncated: false,
  compared: null,
  saving: null,
}

const kista = exampleSource({
  name: 'Kista store',
  format: 'csv',
  delivers: 'events',
  shape_version: 1,
})
const { activity: _activity, ...kistaAlone } = kista

const sourceReplies: Replies = {
  'GET /console/known-metrics': () => ({
    metrics: [
      { key: 'active_users', name: 'Active users', unit: 'count' },
      { key: 'revenue', name: 'Revenue', unit: 'SEK' },
    ],
  }),
  'GET /console/companies/{company_id}/connections': () => ({ connections: [], next_cursor: null }),
  'GET /console/companies/{company_id}/deliveries': () => ({
    deliveries: [],
    next_cursor: null,
    count: null,
    searched_to: null,
  }),
  'GET /console/companies/{company_id}/last-deliveries': () => ({ deliveries: [], next_cursor: null }),
  'POST /console/companies/{company_id}/sources/example': () => readExample,
  'POST /console/companies/{company_id}/sources/preview': () => preview,
  'GET /console/companies/{company_id}/sources/{source_id}': () => ({
    source: kistaAlone,
    activity: {
      last_delivery: null,
      freshness: { last_received_at: null, usual_seconds: null, late: false },
      rebuild: null,
    },
    stored: { deliveries: 0, content_bytes: 0, more: false },
    signing_secrets: [],
    versions: [
      {
        shape_version: 1,
        fields: readExample.fields.map(({ name, type, personal }) => ({ name, type, personal })),
        event_time: 'sold_at',
        metrics: [],
        delivers: 'events',
        saved_by: null,
        saved_at: '2026-11-20T10:00:00Z',
      },
    ],
    next_cursor: null,
  }),
}

test('A source is created by keyboard, and the focus is always where the next step is', async () => {
  let isMade = false
  await open('/sources', {
    ...sourceReplies,
    'GET /console/companies/{company_id}/sources': () => ({
      sources: isMade ? [kista] : [],
      next_cursor: null,
    }),
    'POST /console/companies/{company_id}/sources': () => {
      isMade = true
      return kistaAlone
    },
  })
  await page.getByRole('link', { name: 'New source' }).waitFor()
  await tabTo('New source')
  await press('Enter')
  await hasOpened('New source')

  await tabTo('Name')
  await write('Kista store')
  await press('Tab')
  expect(await focused()).toBe('Type of system')
  await write('Till')
  await next()

  await hasFocus('Channel')
  await press('Tab')
  expect(await focused()).toBe('Push')
  await press('ArrowDown')
  expect(await focused()).toBe('Webhook')
  await press('ArrowUp')
  expect(await focused()).toBe('Push')
  await next()

  await hasFocus('From an example')
  await press('Tab')
  expect(await focused()).toBe('Paste a few rows')
  await write('sold_at,amount,till\n2026-11-20,80.00,Kista')
  await press('Tab')
  expect(await focused()).toBe('Read example')
  await press('Enter')
  await page.getByText('Your example').first().waitFor()
  expect(await focused()).toBe('Read example')
  const fields = await tabTo('Next')
  expect(fields.filter((name) => name.startsWith('Remove field'))).toHaveLength(3)
  await press('Enter')

  await hasFocus('Event time')
  await press('Tab')
  expect(await focused()).toBe('sold_at')
  await next()

  await hasFocus('Events or statements')
  await next()
  await hasFocus(/^1 problem/)
  await press('Tab')
  expect(await focused()).toContain('Choose events or statements')
  await press('Enter')
  await hasFocus('What a delivery contains')
  await press('Tab')
  expect(await focused()).toBe('Events')
  await press('Space')
  await next()

  await hasFocus('No metrics yet')
  await press('Tab')
  expect(await focused()).toBe('Add Revenue')
  await press('Tab')
  expect(await focused()).toBe('Add metric')
  await press('Enter')
  await hasFocus('Metric')
  await write('Rev')
  await press('Tab')
  expect(await focused()).toBe('Calculation')
  await write('Sum')
  await press('Tab')
  expect(await focused()).toBe('Sum of')
  await write('amo')
  await tabTo('Labels')
  await write('till')
  await press('Enter')
  await tabTo('Remove label till')
  await press('Enter')
  await hasFocus('Labels')
  await write('till')
  await press('Enter')
  await page
    .getByText('Adds up amount of every row, per day of sold_at, for each till, in SEK.')
    .first()
    .waitFor()
  await tabTo('Create source')
  await press('Enter')
  await hasOpened('Kista store')
  expect(opened.sentTo('POST /console/companies/{company_id}/sources')).toMatchObject([
    {
      name: 'Kista store',
      system_kind: 'Till',
      channel: 'push',
      event_time: 'sold_at',
      delivers: 'events',
      metrics: [{ metric: 'revenue', aggregation: 'sum', field: 'amount', group_by: ['till'] }],
    },
  ])

  await tabTo('New connection')
  await press('Enter')
  await hasOpened('New connection')
  // It lists the source that was just created.
  await tabTo('Send')
  expect(await page.locator(':focus').isChecked()).toBe(true)
  await tabTo('Source')
  expect(await page.locator(':focus').inputValue()).toBe(kista.source_id)
})

test('A connection is created, signed and saved by keyboard', async () => {
  const made = exampleConnection({
    name: 'Kista till',
    state: 'unsigned',
    signature_id: null,
    credentials: [],
  })
  let isSigned = false
  await open('/connections', {
    // The search finds it too.
    'GET /console/companies/{company_id}/reports': () => exampleReportList([]),
    'GET /console/companies/{company_id}/sources': () => ({ sources: [kista], next_cursor: null }),
    'GET /console/companies/{company_id}/connections': () => ({
      connections: [exampleConnection()],
      next_cursor: null,
    }),
    'GET /console/companies/{company_id}/deliveries': () => ({
      deliveries: [],
      count: null,
      searched_to: null,
      next_cursor: null,
    }),
    'GET /console/companies/{company_id}/refused-calls': () => ({
      refused_calls: [],
      count: 0,
      next_cursor: null,
    }),
    'POST /console/companies/{company_id}/connections': () => ({ connection: made }),
    'GET /console/companies/{company_id}/connections/{connection_id}': () =>
      isSigned ? { ...made, state: 'signed' } : made,
    'POST /console/companies/{company_id}/connections/{connection_id}/sign': () =>
      exampleOrder({ visible_text: 'I sign this service connection of Numera.' }),
    'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': () =>
      isSigned
        ? { state: 'complete', secret: 'ncs_1234', connection: { ...made, state: 'signed' } }
        : { state: 'pending' },
  })
  await page.getByRole('link', { name: 'New connection' }).waitFor()
  await tabTo('New connection')
  await press('Enter')
  await hasOpened('New connection')

  await tabTo('Name')
  // Sent too early: it lists what is missing, with links.
  await press('Enter')
  await hasFocus(/^3 problems/)
  await press('Tab')
  await press('Enter')
  await hasFocus('Name')
  await write('Kista till')
  await press('Tab')
  expect(await focused()).toBe('Send')
  await press('Space')
  await tabTo('Source')
  await write('Kista')
  await press('Tab')
  expect(await focused()).toBe('Production')
  await press('ArrowDown')
  expect(await focused()).toBe('Sandbox, for trying things out')
  await press('Tab')
  expect(await focused()).toBe('Client credentials')
  await press('Tab')
  expect(await focused()).toBe('Create and sign')
  await press('Enter')

  await hasFocus('Sign Kista till')
  await tabTo(/^Open the demo identity/)
  isSigned = true
  await hasFocus('Save the secret now')
  await tabTo('Secret, shown once')
  await tabTo('Download .env')
  await press('Tab')
  expect(await focused()).toMatch(/^I have saved the secret/)
  await press('Space')
  await press('Tab')
  expect(await focused()).toBe('Done')
  await press('Enter')
  await hasOpened('Kista till')
  expect(opened.sentTo('POST /console/companies/{company_id}/connections')).toMatchObject([
    { name: 'Kista till', permissions: ['sources.ingest'], kind: 'sandbox', credential_kind: 'client' },
  ])

  // Its dialogs restore the focus.
  await tabTo('Revoke')
  await press('Enter')
  await hasFocus('Enter the name to revoke it')
  await press('Escape')
  await hasFocus('Revoke')
})

test('A report is opened, read period by period and traced by keyboard', async () => {
  await open('/reports', {
    'GET /console/companies/{company_id}': () => ({
      ...company,
      created_at: '2026-01-01T08:00:00Z',
      owners: [],
    }),
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleReport(),
    'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': () =>
      exampleTrace({ as_of: null, value_then: null }),
  })
  await page.getByRole('listitem').filter({ hasText: 'Ledger' }).waitFor()
  await tabTo(/^Revenue/)
  await press('Enter')
  await hasOpened('Revenue')

  await tabTo(/^Revenue by month: choose a period with the arrow keys/)
  const valueText = () => page.locator(':focus').getAttribute('aria-valuetext')
  await press('ArrowLeft')
  await expect.poll(valueText).toContain('September 2026: 1,195,892.25 SEK')
  await press('Enter')
  const drawer = page.getByRole('complementary', { name: /September 2026/ })
  await drawer.waitFor()
  await hasFocus(/September 2026/)
  await untilLoaded()
  await tabTo('Open delivery')
  await press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await hasFocus(/^Revenue by month/)
  expect(await valueText()).toContain('September 2026')

  // Each figure of the table is one press away.
  await tabTo('CSV')
  await tabTo(/^[\d,.]+$/)
  await press('Enter')
  await drawer
    .or(page.getByRole('complementary', { name: /2026/ }))
    .first()
    .waitFor()
  await press('Escape')
  await hasFocus(/^[\d,.]+$/)
})
