import { describe, expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { exampleCompany, exampleOrder, exampleSession } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const ekeby = exampleCompany()
const at = (path: string): string => `/companies/${ekeby.company_id}${path}`

const here = {
  session_id: 'session-1',
  current: true,
  browser: 'Firefox',
  system: 'Windows',
  network: '192.0.2.0/24',
  provider: 'bankid',
  signed_in_at: '2026-11-20T08:00:00Z',
  last_active_at: '2026-11-20T09:59:00Z',
}
const phone = {
  ...here,
  session_id: 'session-2',
  current: false,
  browser: 'Safari',
  system: 'iPhone',
  network: '2001:db8:0:1200::/56',
  last_active_at: '2026-11-20T07:14:00Z',
}
const unknown = { ...phone, session_id: 'session-3', browser: null, system: null, provider: 'oidc' }

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/sessions': () => ({ sessions: [here, phone, unknown] }),
  'GET /console/companies/{company_id}/members': () => ({ members: [], next_cursor: null }),
  'GET /console/companies/{company_id}/invitations': () => ({ invitations: [], next_cursor: null }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
}

describe('Your sessions', () => {
  test('mark the current one, and another one can be signed out', async () => {
    let sessions = [here, phone, unknown]
    const { page, calls } = await open('/sessions', {
      ...replies,
      'GET /console/sessions': () => ({ sessions }),
      'POST /console/sessions/{session_id}/sign-out': () => {
        sessions = [here, unknown]
        return undefined
      },
    })
    await page.getByRole('rowheader', { name: /Firefox on Windows This one/ }).waitFor()
    await page.getByRole('rowheader', { name: 'Unknown browser' }).waitFor()
    await page.getByRole('button', { name: /Sign out.*Safari on iPhone/ }).press('Enter')
    await page.getByRole('status').getByText('Safari on iPhone is signed out.').waitFor({ state: 'attached' })
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Your sessions')
    expect(await page.getByRole('rowheader', { name: /Safari/ }).count()).toBe(0)
    expect(calls.find(({ operation }) => operation.endsWith('/sign-out'))).toMatchObject({
      path: ['session-2'],
      csrfToken: 'csrf-1',
    })
  })

  test('are all ended together after confirmation', async () => {
    let isSignedIn = true
    const { page, sentTo } = await open('/sessions', {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sessions/sign-out': () => {
        isSignedIn = false
        return undefined
      },
    })
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' })
    await dialog.getByText('Apps and connections keep working.').waitFor()
    expect(sentTo('POST /console/sessions/sign-out')).toEqual([])
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(sentTo('POST /console/sessions/sign-out')).toEqual([{}])
  })

  test.runIf(isFull)('fit on a phone and are accessible', async () => {
    const { page } = await open('/sessions', replies)
    await page.getByRole('rowheader', { name: /Firefox/ }).waitFor()
    expect(await lookOver(page, 'sessions')).toEqual([])
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await lookOver(page, 'sessions-everywhere')).toEqual([])
  })
})

const inviting = 'POST /console/companies/{company_id}/members'

/** The service half an hour after the sign-in: signing in again creates another session. */
function signedInLongAgo(again: { member_id?: string; name?: string } = {}) {
  let session = exampleSession({ companies: [ekeby] })
  let isAnswered = false
  return {
    answer: () => {
      isAnswered = true
      session = exampleSession({ companies: [ekeby], csrf_token: 'csrf-2', ...again })
    },
    replies: {
      ...replies,
      'GET /console/session': () => session,
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => ({ state: isAnswered ? 'complete' : 'pending' }),
      'POST /console/sign-in/{order_id}/cancel': () => undefined,
      [inviting]: ({ csrfToken }) =>
        csrfToken === 'csrf-1'
          ? apiError(403, 'sign_in_again')
          : {
              member_id: 'member-9',
              name: null,
              label: 'Sara',
              role: 'owner',
              added_by: 'member-1',
              added_at: '2026-11-20T10:00:00Z',
              last_sign_in_at: null,
              signed_connections: 0,
            },
    } satisfies Replies,
  }
}

type Page = Awaited<ReturnType<typeof open>>['page']

async function inviteOwner(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await dialog.getByLabel('Personal identity number', { exact: true }).fill('191212121212')
  await dialog.getByLabel('Label (optional)').fill('Sara')
  await dialog.getByRole('radio', { name: 'Owner' }).check()
  await dialog.getByRole('button', { name: 'Invite as owner' }).click()
}

describe('An action that gives others access', () => {
  test('is sent as it was typed after signing in again', async () => {
    const service = signedInLongAgo()
    const { page, calls } = await open(at('/members?ask=invite'), service.replies)
    await inviteOwner(page)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByText(/as .*Olivia Ägare/).waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Sign in again')
    await again.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    service.answer()
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .getByText(/Sara.* is invited/)
      .waitFor({ state: 'attached' })
    const body = { personal_number: '191212121212', role: 'owner', label: 'Sara' }
    expect(calls.filter(({ operation }) => operation === inviting)).toMatchObject([
      { body, csrfToken: 'csrf-1' },
      { body, csrfToken: 'csrf-2' },
    ])
  })

  test('is not sent if someone else signs in', async () => {
    const service = signedInLongAgo({ member_id: 'member-2', name: 'Lena Läsare' })
    const { page, sentTo } = await open(at('/members?ask=invite'), service.replies)
    await inviteOwner(page)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    service.answer()
    await page.getByText('Lena Läsare').first().waitFor({ state: 'attached' })
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor({ state: 'detached' })
    // The previous person's input is gone.
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    expect(await dialog.getByLabel('Personal identity number', { exact: true }).inputValue()).toBe('')
    expect(sentTo(inviting)).toHaveLength(1)
  })

  test.runIf(isFull)('is not sent if signing in is cancelled, and the input stays', async () => {
    const service = signedInLongAgo()
    const { page, sentTo } = await open(at('/members?ask=invite'), service.replies)
    await inviteOwner(page)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await page.keyboard.press('Escape')
    await again.waitFor({ state: 'detached' })
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    await dialog.getByText('Nothing was changed.').waitFor()
    expect(await dialog.getByLabel('Label (optional)').inputValue()).toBe('Sara')
    expect(sentTo(inviting)).toHaveLength(1)
    await dialog.getByRole('button', { name: 'Invite as owner' }).click()
    await again.waitFor()
  })

  test.runIf(isFull)('does not loop if no sign-in is recent enough', async () => {
    const service = signedInLongAgo()
    const { page, sentTo } = await open(at('/members?ask=invite'), {
      ...service.replies,
      [inviting]: () => apiError(403, 'sign_in_again'),
    })
    await inviteOwner(page)
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    service.answer()
    await page.getByText('Contact the operator of the service.').waitFor()
    expect(sentTo(inviting)).toHaveLength(2)
  })

  test.runIf(isFull)('asks to sign in with a dialog that fits on a phone and is accessible', async () => {
    const { page } = await open(at('/members?ask=invite'), signedInLongAgo().replies)
    await inviteOwner(page)
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    expect(await lookOver(page, 'sign-in-again')).toEqual([])
  })
})

function createNotice(
  event_id: string,
  action: 'connection_rotated' | 'member_invited' | 'signed_out_everywhere',
  at: string,
): ReturnType<typeof exampleSession>['notices'][number] {
  return {
    company_id: ekeby.company_id,
    event: {
      event_id,
      at,
      count: 1,
      last_at: at,
      member: { member_id: 'member-2', name: 'Anna Ek', is_member: true },
      action,
      subject: {
        kind: action === 'connection_rotated' ? 'connection' : 'member',
        id: 'subject-1',
        name: 'Shop',
      },
      details: {},
    },
  }
}

describe('A notice', () => {
  const notices = [
    createNotice('event-1', 'signed_out_everywhere', '2026-11-19T13:03:00Z'),
    createNotice('event-2', 'connection_rotated', '2026-11-20T08:03:00Z'),
  ]

  test('is shown to owners on every page of the company until dismissed', async () => {
    let session = exampleSession({ companies: [ekeby], notices })
    const { page, sentTo } = await open(at('/members'), {
      ...replies,
      'GET /console/session': () => session,
      'POST /console/companies/{company_id}/notices/dismiss': () => {
        session = exampleSession({ companies: [ekeby] })
        return undefined
      },
    })
    const region = page.getByRole('region', { name: 'Notices' })
    await region.getByText(/Anna Ek.* rotated the secret of the connection .*Shop.*Today, 09:03/).waitFor()
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    await region.getByRole('button', { name: 'Dismiss' }).press('Enter')
    await region.waitFor({ state: 'detached' })
    expect(sentTo('POST /console/companies/{company_id}/notices/dismiss')).toEqual([{ through: 'event-2' }])
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Sources')
  })

  test('of another company is not shown here', async () => {
    const norrsken = exampleCompany({
      company_id: '01900000-0000-7000-8000-000000000002',
      name: 'Norrsken AB',
    })
    const { page } = await open(`/companies/${norrsken.company_id}/members`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken], notices }),
    })
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    expect(await page.getByRole('region', { name: 'Notices' }).count()).toBe(0)
  })

  test.runIf(isFull)('fits on a phone and is accessible', async () => {
    const { page } = await open(at('/members'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [ekeby], notices }),
    })
    await page.getByRole('region', { name: 'Notices' }).waitFor()
    expect(await lookOver(page, 'notices')).toEqual([])
  })
})

test('Automatic calls of a page without input for a minute say so', async () => {
  const { page } = await open('/sessions', replies)
  await page.getByRole('rowheader', { name: /Firefox/ }).waitFor()
  /** Undefined if the page made no call, since an earlier one was in flight. */
  const idle = async (): Promise<string | undefined> => {
    const [request] = await Promise.all([
      page.waitForRequest(/\/console\/session$/, { timeout: 1_000 }).catch(() => null),
      page.evaluate(() => dispatchEvent(new Event('visibilitychange'))),
    ])
    return request === null ? undefined : (request.headers()['x-page-idle'] ?? 'no')
  }
  await page.clock.runFor(61_000)
  await expect.poll(idle).toBe('yes')
  await page.clock.runFor(61_000)
  await page.keyboard.press('Shift')
  await expect.poll(idle).toBe('no')
})
