import { expect, test } from 'vitest'
import { at, auditor, ekeby, link, olivia, replies } from '../testing/members-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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

test('The history is filtered by its address, and downloaded as it is shown', async () => {
  const { page, calls } = await open(at('/members?part=history&from=2026-11-01'), replies)
  await page.getByRole('combobox', { name: 'About' }).selectOption('Sources')
  await page.waitForURL('**&kind=source**')
  await expect
    .poll(() => calls.findLast(({ operation }) => operation.endsWith('/audit'))?.query)
    .toMatchObject({ kind: 'source', from: '2026-11-01' })
  const file = await page.getByRole('link', { name: 'Download these (NDJSON)' }).getAttribute('href')
  expect(file).toMatch(/kind=source.*from=2026-11-01/)
})

test('The history describes each action and who did it', async () => {
  const { page } = await open(at('/members?part=history'), replies)
  await page.getByText(/Changed the role of .*Johan Berg.* to developer/).waitFor()
  await page.getByText('before: reader').waitFor()
  await page.getByText('no longer a member').waitFor()
})
