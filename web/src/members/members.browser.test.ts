import { expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const ekeby = exampleCompany()
const at = (path: string): string => `/companies/${ekeby.company_id}${path}`
const olivia = {
  member_id: 'member-1',
  name: 'Olivia Ägare',
  label: null,
  role: 'owner' as const,
  added_by: null,
  added_at: '2026-01-02T08:00:00Z',
  last_sign_in_at: '2026-11-20T08:00:00Z',
  signed_connections: 0,
}
const johan = {
  ...olivia,
  member_id: 'member-2',
  name: 'Johan Berg',
  role: 'developer' as const,
  signed_connections: 2,
}
const auditor = {
  ...olivia,
  member_id: 'member-3',
  name: null,
  label: 'The auditor',
  role: 'reader' as const,
}
const link = {
  invitation_id: 'invitation-1',
  role: 'reader' as const,
  label: null,
  created_by: { member_id: 'member-1', name: 'Olivia Ägare' },
  created_at: '2026-11-19T08:00:00Z',
  expires_at: '2026-11-26T08:00:00Z',
}

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}/members': () => ({
    members: [olivia, johan, auditor],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/invitations': () => ({ invitations: [link], next_cursor: null }),
  'GET /console/companies/{company_id}/apps': () => ({ apps: [], next_cursor: null }),
  'GET /console/companies/{company_id}/audit': () => ({
    events: [
      {
        event_id: 'event-2',
        at: '2026-11-20T09:00:00Z',
        count: 37,
        last_at: '2026-11-20T10:30:00Z',
        member: { member_id: olivia.member_id, name: olivia.name, is_member: true },
        action: 'source_paused',
        subject: { kind: 'source', id: 'source-1', name: 'Web shop' },
        details: {},
      },
      {
        event_id: 'event-1',
        at: '2026-11-19T09:00:00Z',
        count: 1,
        last_at: '2026-11-19T09:00:00Z',
        member: { member_id: 'member-9', name: 'Sara Nyström', is_member: false },
        action: 'member_role_changed',
        subject: { kind: 'member', id: 'member-2', name: 'Johan Berg' },
        details: { role: 'developer', previous_role: 'reader' },
      },
    ],
    next_cursor: null,
  }),
}

test('A mistyped personal number is reported before sending, and the person is invited with a label', async () => {
  const { page, sentTo } = await open(at('/members'), {
    ...replies,
    'POST /console/companies/{company_id}/members': () => auditor,
  })
  await page.getByRole('link', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await dialog.getByLabel('Personal identity number', { exact: true }).fill('191212121213')
  await dialog.getByLabel('Label (optional)').fill('The auditor')
  await dialog.getByRole('button', { name: 'Invite as reader' }).click()
  await dialog.getByText('Enter a valid personal identity number').waitFor()
  expect(sentTo('POST /console/companies/{company_id}/members')).toEqual([])
  await dialog.getByLabel('Personal identity number', { exact: true }).fill('191212121212')
  await dialog.getByRole('radio', { name: 'Developer' }).check()
  await dialog.getByRole('button', { name: 'Invite as developer' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(sentTo('POST /console/companies/{company_id}/members')).toEqual([
    { personal_number: '191212121212', role: 'developer', label: 'The auditor' },
  ])
})

test('A link is shown once, and an open one can be withdrawn', async () => {
  const { page, sentTo } = await open(at('/members?ask=invite'), {
    ...replies,
    'POST /console/companies/{company_id}/invitations': () => ({
      invitation: link,
      link: 'https://numera.test/invitations#niv_1',
    }),
    'POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw': () => undefined,
  })
  await page.getByRole('dialog').getByText('By link').click()
  await page.getByRole('button', { name: 'Create link for a reader' }).click()
  const made = page.getByRole('dialog', { name: 'Send the link to the person' })
  expect(await made.getByLabel('Link, shown once').inputValue()).toBe('https://numera.test/invitations#niv_1')
  await made.getByRole('button', { name: 'Done' }).click()
  await made.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  await page.getByRole('status').getByText('The link is withdrawn.').waitFor()
  expect(sentTo('POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw')).toEqual([{}])
})

/** The dialog before leaving. */
const membership = 'GET /console/companies/{company_id}/membership'

test('The last owner can neither leave nor change role, and the page says what to do first', async () => {
  const { page } = await open(at('/members?ask=end&member=member-1'), {
    ...replies,
    [membership]: () => ({
      role: 'owner',
      added_at: olivia.added_at,
      signed_connections: 0,
      last_owner: true,
    }),
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Give another member the owner role first.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Leave' }).count()).toBe(0)
})

test('Removing a member lists the connections that keep working', async () => {
  const { page, calls } = await open(at('/members'), {
    ...replies,
    'DELETE /console/companies/{company_id}/members/{member_id}': () => undefined,
  })
  await page.getByRole('button', { name: /Actions: .*Johan Berg/ }).click()
  await page.getByRole('link', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: /Remove .*Johan Berg/ })
  await dialog.getByText('They have 2 signed connections').waitFor()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(calls.find(({ operation }) => operation.startsWith('DELETE'))).toMatchObject({
    path: [ekeby.company_id, 'member-2'],
    csrfToken: 'csrf-1',
  })
})

test('Removing a member or withdrawing a link focuses the page’s heading', async () => {
  let members = [olivia, johan, auditor]
  const { page } = await open(at('/members'), {
    ...replies,
    'GET /console/companies/{company_id}/members': () => ({ members, next_cursor: null }),
    'DELETE /console/companies/{company_id}/members/{member_id}': () => {
      members = [olivia, auditor]
      return undefined
    },
    'POST /console/companies/{company_id}/invitations/{invitation_id}/withdraw': () => undefined,
  })
  const focused = () => page.locator(':focus').textContent()
  await page.getByRole('button', { name: /Actions: .*Johan Berg/ }).press('Enter')
  await page.getByRole('link', { name: 'Remove' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('rowheader', { name: /Johan Berg/ }).waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .getByText(/Johan Berg.* is no longer a member/)
    .waitFor({ state: 'attached' })
  await expect.poll(focused).toBe('Members')
  await page.getByRole('button', { name: /^Withdraw/ }).press('Enter')
  await page.getByRole('status').getByText('The link is withdrawn.').waitFor({ state: 'attached' })
  await expect.poll(focused).toBe('Members')
})

test('The history describes each action and who did it', async () => {
  const { page } = await open(at('/members?part=history'), replies)
  await page.getByText(/Changed the role of .*Johan Berg.* to developer/).waitFor()
  await page.getByText('before: reader').waitFor()
  await page.getByText('no longer a member').waitFor()
})

test('Repeated actions are one row, with how often, first and last', async () => {
  const { page } = await open(at('/members?part=history'), replies)
  const row = page.getByRole('row').filter({ hasText: /Paused .*Web shop/ })
  await row.getByText(/37 times, first .*10:00/).waitFor()
  await row.getByText(/11:30/).waitFor()
  expect(await page.getByText(/times, first/).count()).toBe(1)
})

test('An invitation is shown before it is accepted, and opens the company', async () => {
  const sunna = exampleCompany({ company_id: '01900000-0000-7000-8000-000000000009', name: 'Sunna Bygg AB' })
  let isMember = false
  const { page, sentTo } = await open('/invitations#niv_1', {
    ...replies,
    'GET /console/session': () => exampleSession({ companies: isMember ? [ekeby, sunna] : [ekeby] }),
    'POST /console/invitations/show': () => ({
      company: { orgnr: '559999-0032', name: 'Sunna Bygg AB' },
      role: 'developer',
      created_by: { name: 'Per Sunna' },
      expires_at: '2026-11-26T08:00:00Z',
      current_role: null,
    }),
    'POST /console/invitations/accept': () => {
      isMember = true
      return { company_id: sunna.company_id, role: 'developer' }
    },
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    'GET /console/known-metrics': () => ({ metrics: [] }),
    'GET /console/companies/{company_id}': () => ({
      ...sunna,
      created_at: '2026-01-01T08:00:00Z',
      owners: [],
    }),
  })
  await page.getByText(/Per Sunna.* invites you to .*Sunna Bygg AB.* as developer/).waitFor()
  expect(sentTo('POST /console/invitations/show')).toEqual([{ token: 'niv_1' }])
  expect(await lookOver(page, 'invitation')).toEqual([])
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL(`**/companies/${sunna.company_id}/reports`)
  expect(sentTo('POST /console/invitations/accept')).toEqual([{ token: 'niv_1' }])
})

test('An invitation that has ended says who to ask for a new one', async () => {
  const { page } = await open('/invitations#niv_1', {
    ...replies,
    'POST /console/invitations/show': () => apiError(404, 'not_found'),
  })
  await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
})

test('On a demo, a company is created and its pages open', async () => {
  const own = exampleCompany({ company_id: '01900000-0000-7000-8000-000000000008', name: 'Mitt AB' })
  let isMade = false
  const { page, sentTo } = await open('/', {
    ...replies,
    'GET /console/session': () => exampleSession({ companies: isMade ? [own] : [] }),
    'POST /console/demo-companies': () => {
      isMade = true
      return own
    },
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    'GET /console/known-metrics': () => ({ metrics: [] }),
    'GET /console/companies/{company_id}': () => ({ ...own, created_at: '2026-01-01T08:00:00Z', owners: [] }),
  })
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByText('Enter a name of at most 100 characters.').waitFor()
  await page.getByLabel('Company name').fill('Mitt AB')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.waitForURL(`**/companies/${own.company_id}/reports`)
  expect(sentTo('POST /console/demo-companies')).toEqual([{ name: 'Mitt AB' }])
})

test.runIf(isFull).each([
  ['members-invite', at('/members?ask=invite')],
  ['members-apps', at('/members?part=apps')],
  ['members-history', at('/members?part=history')],
])('The page %s fits on a phone and is accessible', async (name, path) => {
  const { page } = await open(path, replies)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  expect(await lookOver(page, name)).toEqual([])
})
