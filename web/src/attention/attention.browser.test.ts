import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { ekeby, exampleItem, exampleItems, exampleLink, page, replies } from '../testing/attention-scene.ts'
import { exampleSession } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

test('What needs attention says what to do and where, and its count is at its link', async () => {
  const { page: shown } = await open(page, replies)
  await shown.getByText(/Web shop.* is late/).waitFor()
  await shown.getByText(/Ledger.* corrected September 2026 after it had ended/).waitFor()
  await shown.getByText(/1,204 rows of the last delivery were refused/).waitFor()
  await shown.getByText(/Done by .*Johan Berg/).waitFor()
  expect(await shown.getByRole('link', { name: 'Open delivery' }).getAttribute('href')).toContain(
    '/deliveries/artifact-1',
  )
  await shown.getByRole('navigation').getByRole('link', { name: 'Attention 5 open' }).waitFor()
  expect(await lookOver(shown, 'attention')).toEqual([])
})

test('An item is marked as done for everyone, and opened again', async () => {
  let items = [exampleItem()]
  const { page: shown, sentTo } = await open(page, {
    ...replies,
    'GET /console/companies/{company_id}/attention': () => ({ items, more: false }),
    'POST /console/companies/{company_id}/attention/marks': ({ body }) => {
      const done = { member_id: 'member-1', name: 'Olivia Ägare', at: '2026-11-15T10:00:00Z' }
      items = [exampleItem({ done: (body as { done: boolean }).done ? done : null })]
    },
  })
  await shown.getByRole('button', { name: /^Mark as done: .*Web shop.* is late/ }).click()
  await shown.getByText('Nothing needs attention').waitFor()
  await shown.getByRole('button', { name: /^Open again: / }).click()
  await shown.getByRole('button', { name: /^Mark as done: / }).waitFor()
  const { key, version } = exampleItem()
  expect(sentTo('POST /console/companies/{company_id}/attention/marks')).toEqual([
    { key, version, done: true },
    { key, version, done: false },
  ])
})

test('A reader sees what is about figures, and no links', async () => {
  const reader = { ...ekeby, role: 'reader' as const }
  const { page: shown, calls } = await open(page, {
    ...replies,
    'GET /console/session': () => exampleSession({ companies: [reader] }),
    'GET /console/companies/{company_id}/attention': () => ({
      items: exampleItems.slice(1, 3),
      more: false,
    }),
  })
  await shown.getByText('Ask the person in charge of the system').waitFor()
  expect(calls.filter(({ operation }) => operation.endsWith('/links'))).toEqual([])
})

test('A feed is made, its address shown once, and a link is ended', async () => {
  const {
    page: shown,
    sentTo,
    calls,
  } = await open(page, {
    ...replies,
    'POST /console/companies/{company_id}/links': () => ({
      link: { ...exampleLink, kind: 'feed' as const },
      address: 'https://numera.test/feeds/nrl_1.atom',
    }),
    'DELETE /console/companies/{company_id}/links/{link_id}': () => undefined,
  })
  await shown.getByRole('button', { name: 'New feed' }).click()
  const dialog = shown.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Operations')
  await dialog.getByLabel('Ends').selectOption('365')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  expect(await dialog.getByLabel('Address, shown once').inputValue()).toBe(
    'https://numera.test/feeds/nrl_1.atom',
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(sentTo('POST /console/companies/{company_id}/links')).toEqual([
    { kind: 'feed', name: 'Operations', days: 365, language: 'en', report: null },
  ])
  await shown.getByRole('button', { name: /^End .*Budget 2026/ }).click()
  await shown.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await shown.getByText('The link has ended.').waitFor()
  expect(calls.find(({ operation }) => operation.startsWith('DELETE'))!.path).toEqual([
    ekeby.company_id,
    'link-1',
  ])
})
