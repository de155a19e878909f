import { expect, test } from 'vitest'
import { lookOver } from '../../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../../testing/api-stub.ts'
import { exampleReport } from '../../testing/example-reports.ts'
import { exampleSession } from '../../testing/examples.ts'
import { ekeby, ledger, startReportPages } from '../../testing/report-scene.ts'
import type { Annotations, Note } from './annotations.ts'

const { open } = startReportPages()

const metric = '/console/companies/{company_id}/sources/{source_id}/reports/{metric}'
const olivia = { member_id: 'member-1', name: 'Olivia Ägare' }

const exampleNote = (given: Partial<Note> = {}): Note => ({
  note_id: '01900000-0000-7000-8000-0000000000e1',
  grain: 'month',
  period_start: '2026-09-01',
  labels: {},
  text: 'Returns were booked late',
  revision: 1,
  author: olivia,
  created_at: '2026-11-19T09:00:00Z',
  edited_by: null,
  edited_at: null,
  ...given,
})

/** The service as far as notes and targets go, for all pages that are opened with its replies. */
function startService() {
  const kept: Annotations = {
    notes: [],
    targets: { revision: 0, months: [], saved_by: null, saved_at: null },
  }
  const replies: Replies = {
    [`GET ${metric}/annotations` as const]: () => kept,
    [`POST ${metric}/notes` as const]: ({ body }) => {
      kept.notes.push(exampleNote(body as Partial<Note>))
      return kept.notes.at(-1)!
    },
    [`PUT ${metric}/targets` as const]: ({ body }) => {
      const { expected_revision, months } = body as { expected_revision: number; months: never }
      if (expected_revision !== kept.targets.revision) {
        const details = { targets: kept.targets }
        return Response.json({ code: 'conflict', message: 'saved meanwhile', details }, { status: 409 })
      }
      kept.targets = {
        revision: expected_revision + 1,
        months,
        saved_by: olivia,
        saved_at: '2026-11-20T09:00:00Z',
      }
      return kept.targets
    },
  }
  return { kept, replies }
}

const colleague = (role: 'reader' | 'developer'): Replies => ({
  'GET /console/session': () =>
    exampleSession({ member_id: 'member-2', name: 'Lars Läsare', companies: [{ ...ekeby, role }] }),
})

test('A note on a period is seen by a colleague, at the period in chart and table and in the list', async () => {
  const { replies } = startService()
  const page = await open(ledger, replies)
  await page.getByRole('row', { name: /September 2026/ }).hover()
  await page.getByRole('button', { name: 'Add a note: September 2026' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Returns were\nbooked late')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const other = await open(`${ledger}&period=2026-09-01`, { ...replies, ...colleague('reader') })
  const note = other.getByRole('listitem').filter({ hasText: 'Returns were booked late' })
  expect(await note.innerText()).toContain('Olivia Ägare, 19 Nov')
  expect(await other.getByRole('button', { name: 'Edit the note' }).count()).toBe(0)
  expect(await other.getByRole('slider').getAttribute('aria-valuetext')).toContain(
    '1 note: Returns were booked late',
  )
  await other.getByRole('button', { name: '1 note on September 2026' }).press('Enter')
  expect(await note.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await other.getByRole('button', { name: 'Targets' }).count()).toBe(0)
})

test('Of two members who edit a note, the second sees the first one’s text before replacing it', async () => {
  const { kept, replies } = startService()
  kept.notes.push(exampleNote({ labels: { country: 'Sweden' } }))
  const theirs = exampleNote({
    text: '12 returns',
    revision: 2,
    edited_by: { member_id: 'member-3', name: 'Per' },
  })
  const revisions: number[] = []
  const page = await open(ledger, {
    ...replies,
    [`PUT ${metric}/notes/{note_id}` as const]: ({ body }: { body: unknown }) => {
      revisions.push((body as { expected_revision: number }).expected_revision)
      return revisions.length > 1
        ? theirs
        : Response.json({ code: 'conflict', message: 'changed', details: { note: theirs } }, { status: 409 })
    },
  })
  await page.getByRole('button', { name: 'Edit the note on September 2026' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Mine')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText(/Per.* has edited this note in the meantime/).waitFor()
  await page.getByText(/12 returns/).waitFor()
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Mine')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(revisions).toEqual([1, 2])
})

test('Pasted targets are shown before they are saved, then stand next to the figures by month', async () => {
  const { kept, replies } = startService()
  const page = await open(ledger, replies)
  await page.getByRole('button', { name: 'Targets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('Months and amounts')
    .fill('Month\tAmount\nOct 2026\t1,300,000.50\nsep 2026\t1,200,000\nQ4\t5')
  await dialog.getByRole('heading', { name: 'Understood: 2 months' }).waitFor()
  await dialog.getByText(/Line 4, .*Q4.*The month was not recognized/).waitFor()
  // A colleague is quicker.
  kept.targets = {
    revision: 1,
    months: [{ month: '2026-10', value: '5' }],
    saved_by: olivia,
    saved_at: '2026-11-20T09:00:00Z',
  }
  await dialog.getByRole('button', { name: 'Save 2 months' }).click()
  await dialog.getByText(/Olivia Ägare.* has saved targets in the meantime/).waitFor()
  expect(await dialog.getByRole('row', { name: /October/ }).innerText()).toMatch(/5\.00\s+1,300,000\.50/)
  await dialog.getByRole('button', { name: 'Save 2 months' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /October 2026/ })
  await expect.poll(() => row.innerText()).toMatch(/1,300,000.50\s+99.9%$/)
  expect(await page.getByRole('row', { name: /August 2026/ }).innerText()).not.toContain('no figure')
  await page.getByText('99.9% of the target, 1,300,000.50').waitFor()
  const filtered = await open(ledger, {
    ...replies,
    [`GET ${metric}` as const]: () => exampleReport({ where: { country: ['Sweden'] } }),
  })
  await filtered.getByRole('heading', { name: 'Figures' }).waitFor()
  expect(await filtered.getByRole('columnheader', { name: 'Target' }).count()).toBe(0)
})

test('Without the notes, the report is there and says so', async () => {
  const page = await open(ledger, {
    [`GET ${metric}/annotations` as const]: () => apiError(400, 'invalid_argument'),
  })
  await page.getByText('The notes could not be loaded.').waitFor()
  await page.getByRole('slider').waitFor()
})

test('Notes and targets look right in both languages, in the dark and on a phone', async () => {
  const { kept, replies } = startService()
  kept.notes.push(
    exampleNote(),
    exampleNote({
      note_id: 'b',
      period_start: '2026-10-01',
      labels: { country: 'Sweden' },
      text: 'A long note. '.repeat(38),
      edited_by: olivia,
      edited_at: '2026-11-20T09:00:00Z',
    }),
    exampleNote({
      note_id: 'c',
      grain: 'day',
      period_start: '2026-10-12',
      author: null,
      text: 'Server move',
    }),
  )
  const months = Array.from({ length: 11 }, (_month, index) => ({
    month: `2026-${String(index + 1).padStart(2, '0')}`,
    value: String(1_000_000 + index * 40_000),
  }))
  kept.targets = { ...kept.targets, revision: 1, months }
  const page = await open(ledger, replies)
  await page.getByRole('slider').waitFor()
  expect(await lookOver(page, 'report-notes')).toEqual([])
  await page.getByRole('button', { name: 'Targets' }).click()
  await page.getByLabel('Months and amounts').fill('2026-01\t1\n2026-02\tabc')
  expect(await lookOver(page, 'report-targets')).toEqual([])
})
