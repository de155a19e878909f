import type { Page } from 'playwright-core'
import { apiError, type Replies } from './api-stub.ts'
import { exampleCompany, exampleOrder, exampleSession } from './examples.ts'

export const ekeby = exampleCompany()
export const at = (path: string): string => `/companies/${ekeby.company_id}${path}`

export const here = {
  session_id: 'session-1',
  current: true,
  browser: 'Firefox',
  system: 'Windows',
  network: '192.0.2.0/24',
  provider: 'bankid',
  signed_in_at: '2026-11-20T08:00:00Z',
  last_active_at: '2026-11-20T09:59:00Z',
}
export const phone = {
  ...here,
  session_id: 'session-2',
  current: false,
  browser: 'Safari',
  system: 'iPhone',
  network: '2001:db8:0:1200::/56',
  last_active_at: '2026-11-20T07:14:00Z',
}
export const unknown = { ...phone, session_id: 'session-3', browser: null, system: null, provider: 'oidc' }

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/sessions': () => ({ sessions: [here, phone, unknown] }),
  'GET /console/companies/{company_id}/members': () => ({ members: [], next_cursor: null }),
  'GET /console/companies/{company_id}/invitations': () => ({ invitations: [], next_cursor: null }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
}

export const inviting = 'POST /console/companies/{company_id}/members'

/** A session too old for what gives others access; signing in again creates another. */
export function signedInLongAgo(again: { member_id?: string; name?: string } = {}) {
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

export async function inviteOwner(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await dialog.getByLabel('Personal identity number', { exact: true }).fill('191212121212')
  await dialog.getByLabel('Label (optional)').fill('Sara')
  await dialog.getByRole('radio', { name: 'Owner' }).check()
  await dialog.getByRole('button', { name: 'Invite as owner' }).click()
}

export function createNotice(
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
