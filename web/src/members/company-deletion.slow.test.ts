import { expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import { at, ekeby, replies } from '../testing/members-scene.ts'
import { exampleSession } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

type State = ApiResponse<'GET /console/companies/{company_id}/deletion'>

const show = 'GET /console/companies/{company_id}/deletion'
const withdraw = 'POST /console/companies/{company_id}/deletion/withdraw'
const requested = {
  state: 'requested' as const,
  requested_at: '2026-11-19T08:00:00Z',
  requested_by: { member_id: 'member-9', name: 'Sven Ägare' },
  void_at: '2026-12-19T08:00:00Z',
  deletes_after: null,
}

test('A deletion is signed after an export and another owner’s signature, and the text is shown', async () => {
  let state: State = { deletion: null, exported_at: null, owners: 2 }
  const { page, sentTo } = await open(at('/members?part=company'), {
    ...replies,
    [show]: () => state,
    'POST /console/companies/{company_id}/deletion/sign': () => ({
      order_id: 'order-1',
      expires_at: '2026-11-20T10:05:00Z',
      demo: true,
      presentation: { open_url: 'https://numera.test/demo-identity/1' },
      visible_text: 'I sign that this company is deleted from Numera.',
    }),
    'POST /console/companies/{company_id}/deletion/sign/{order_id}/collect': () => ({ state: 'pending' }),
  })
  await page.getByText('Export the company first.').waitFor()
  expect(await page.getByRole('button', { name: 'Sign the deletion' }).count()).toBe(0)
  state = { deletion: requested, exported_at: '2026-11-19T07:00:00Z', owners: 2 }
  await page.reload()
  await page.getByText(/Sven Ägare.* signed on 19 Nov 2026/).waitFor()
  await page.getByRole('button', { name: 'Sign the deletion' }).click()
  await page.getByText('I sign that this company is deleted from Numera.').waitFor()
  expect(sentTo('POST /console/companies/{company_id}/deletion/sign')).toMatchObject([
    { language: 'en', return_to: at('/members?part=company') },
  ])
})

test('Every page of a company that is to be deleted says the day, and an owner withdraws it', async () => {
  const doomed = { ...ekeby, deletes_after: '2026-12-19' }
  let companies: (typeof ekeby)[] = [doomed]
  let state: State = {
    deletion: { ...requested, state: 'scheduled', void_at: null, deletes_after: '2026-12-19' },
    exported_at: null,
    owners: 2,
  }
  const { page, sentTo } = await open(at('/members'), {
    ...replies,
    'GET /console/session': () => exampleSession({ companies }),
    [show]: () => state,
    [withdraw]: () => {
      companies = [ekeby]
      state = { deletion: null, exported_at: null, owners: 2 }
      return undefined
    },
  })
  await page.getByText('This company will be deleted after 19 Dec 2026.').waitFor()
  await page.getByRole('link', { name: 'View deletion' }).click()
  await page.getByText('Everything will be deleted after 19 Dec 2026.').waitFor()
  await page.getByRole('button', { name: 'Withdraw the deletion' }).click()
  await page.getByText('This company will be deleted after').waitFor({ state: 'detached' })
  await page.getByText('Export the company first.').waitFor()
  expect(sentTo(withdraw)).toEqual([{}])
})
