import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { at, auditor, johan, olivia, replies } from '../testing/members-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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

test('Repeated actions are one row, with how often, first and last', async () => {
  const { page } = await open(at('/members?part=history'), replies)
  const row = page.getByRole('row').filter({ hasText: /Paused .*Web shop/ })
  await row.getByText(/37 times, first .*10:00/).waitFor()
  await row.getByText(/11:30/).waitFor()
  expect(await page.getByText(/times, first/).count()).toBe(1)
})

test.each([
  ['members-invite', at('/members?ask=invite')],
  ['members-apps', at('/members?part=apps')],
  ['members-history', at('/members?part=history')],
])('The page %s fits on a phone and is accessible', async (name, path) => {
  const { page } = await open(path, replies)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  expect(await lookOver(page, name)).toEqual([])
})
