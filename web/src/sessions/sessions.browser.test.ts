import { describe, expect, test } from 'vitest'
import { exampleSession } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import {
  at,
  createNotice,
  ekeby,
  here,
  inviteOwner,
  inviting,
  phone,
  replies,
  signedInLongAgo,
  unknown,
} from '../testing/session-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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
})

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

  test('is not sent if another person signs in', async () => {
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
})

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
})
