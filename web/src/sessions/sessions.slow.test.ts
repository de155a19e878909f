import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import {
  at,
  createNotice,
  ekeby,
  inviteOwner,
  inviting,
  replies,
  signedInLongAgo,
} from '../testing/session-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('Your sessions', () => {
  test('fit on a phone and are accessible', async () => {
    const { page } = await open('/sessions', replies)
    await page.getByRole('rowheader', { name: /Firefox/ }).waitFor()
    expect(await lookOver(page, 'sessions')).toEqual([])
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await lookOver(page, 'sessions-everywhere')).toEqual([])
  })
})

describe('An action that gives others access', () => {
  test('is not sent if signing in is cancelled, and the input stays', async () => {
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

  test('does not loop if no sign-in is recent enough', async () => {
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

  test('asks to sign in with a dialog that fits on a phone and is accessible', async () => {
    const { page } = await open(at('/members?ask=invite'), signedInLongAgo().replies)
    await inviteOwner(page)
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    expect(await lookOver(page, 'sign-in-again')).toEqual([])
  })
})

describe('A notice', () => {
  const notices = [
    createNotice('event-1', 'signed_out_everywhere', '2026-11-19T13:03:00Z'),
    createNotice('event-2', 'connection_rotated', '2026-11-20T08:03:00Z'),
  ]

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

  test('fits on a phone and is accessible', async () => {
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
