import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import { exampleReportList } from '../testing/example-reports.ts'
import { ekeby, replies } from '../testing/members-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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
    'GET /console/companies/{company_id}/reports': () => exampleReportList([]),
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
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  expect(sentTo('POST /console/invitations/accept')).toEqual([{ token: 'niv_1' }])
})

test('An invitation that has ended says who to ask for a new one', async () => {
  const { page } = await open('/invitations#niv_1', {
    ...replies,
    'POST /console/invitations/show': () => apiError(404, 'not_found'),
  })
  await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
})
