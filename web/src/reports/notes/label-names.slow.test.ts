import { expect, test } from 'vitest'
import { lookOver } from '../../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../../testing/api-stub.ts'
import { exampleSession } from '../../testing/examples.ts'
import { ekeby, ledger, startReportPages } from '../../testing/report-scene.ts'
import type { LabelNames } from '../value-names.ts'

const { open } = startReportPages()

const names = '/console/companies/{company_id}/label-names'

/** The service as far as names go, for all pages that are opened with its replies. */
function startService() {
  const kept: LabelNames = { label: 'country', revision: 0, names: [], saved_by: null, saved_at: null }
  const replies: Replies = {
    [`GET ${names}` as const]: () => ({ labels: [kept] }),
    [`PUT ${names}` as const]: ({ body }) => {
      const { expected_revision, names } = body as { expected_revision: number; names: LabelNames['names'] }
      if (expected_revision !== kept.revision) {
        const details = { label_names: kept }
        return Response.json({ code: 'conflict', message: 'saved meanwhile', details }, { status: 409 })
      }
      return Object.assign(kept, { revision: kept.revision + 1, names })
    },
  }
  return { kept, replies }
}

test('Names of values are typed or pasted, and stand in chart, table and filters with the values after them', async () => {
  const { kept, replies } = startService()
  const page = await open(ledger, replies)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Name the values' }).click()
  const dialog = page.getByRole('dialog')
  const table = dialog.getByLabel('Values and names')
  expect(await table.inputValue()).toMatch(/^Denmark\t\n(.*\t\n)*Sweden\t$/)
  await table.fill('Sweden\tAland\nDenmark Z')
  await dialog.getByRole('button', { name: 'Save names' }).click()
  await dialog.getByText('Some lines were not understood: correct them first.').waitFor()
  await table.fill('Sweden;Aland\nDenmark\tZealand')
  // A colleague is quicker.
  Object.assign(kept, {
    revision: 1,
    names: [{ value: 'Sweden', name: 'Svealand' }],
    saved_by: { member_id: 'm', name: 'Per' },
  })
  await dialog.getByRole('button', { name: 'Save names' }).click()
  await dialog.getByText(/Per.* has saved names in the meantime/).waitFor()
  expect(await dialog.getByRole('row', { name: /Sweden/ }).innerText()).toMatch(/Svealand\s+Aland/)
  expect(await lookOver(page, 'report-label-names')).toEqual([])
  await dialog.getByRole('button', { name: 'Save names' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('columnheader', { name: 'Aland (Sweden)' }).waitFor()
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('Aland (Sweden) 684,405.25')
  await page.locator('dt').filter({ hasText: 'Zealand (Denmark)' }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  const values = page.getByRole('group', { name: /Only these/ }).locator('label')
  const shown = await values.allInnerTexts()
  expect([shown[0], shown.at(-1)]).toEqual(['Aland (Sweden)', 'Zealand (Denmark)'])
})

test('A reader sees the names and cannot change them; without them the report has the values', async () => {
  const { kept, replies } = startService()
  kept.names = [{ value: 'Sweden', name: 'Sverige' }]
  const page = await open(ledger, {
    ...replies,
    'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: 'reader' }] }),
  })
  await page.getByRole('columnheader', { name: 'Sverige (Sweden)' }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('checkbox', { name: 'Sverige (Sweden)' }).waitFor()
  expect(await page.getByRole('button', { name: 'Name the values' }).count()).toBe(0)
  const refused = await open(ledger, {
    [`GET ${names}` as const]: () => apiError(503, 'overloaded'),
  })
  await refused.getByRole('columnheader', { name: 'Sweden' }).waitFor()
})
