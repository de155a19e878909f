import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { exampleCard, exampleReportList } from '../testing/example-reports.ts'
import { exampleSession } from '../testing/examples.ts'
import { ekeby, list, startReportPages } from '../testing/report-scene.ts'

const { open } = startReportPages()

test('Every card fits on a phone and is accessible, light and dark, in each language', async () => {
  const page = await open(list)
  await page.getByRole('link', { name: 'Revenue' }).first().waitFor()
  expect(await lookOver(page, 'reports')).toEqual([])
})

test('The address selects a source', async () => {
  const page = await open(list)
  await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Returns' })
  await expect.poll(() => page.locator('main ul > li').count()).toBe(1)
  expect(page.url()).toContain('source=')
})

test('Reports of more than a hundred sources are loaded page by page automatically', async () => {
  const page = await open(list, {
    'GET /console/companies/{company_id}/reports': ({ query }) => ({
      ...exampleReportList([exampleCard({ source_id: `source-${query['cursor'] ?? 1}` })]),
      next_cursor: query['cursor'] === undefined ? '2' : null,
    }),
  })
  await expect.poll(() => page.locator('main ul > li').count()).toBe(2)
})

test('Unchanged reports are not sent again', async () => {
  const tags: (string | undefined)[] = []
  const page = await open(list)
  await page.getByRole('link', { name: 'Revenue' }).first().waitFor()
  const answerNext = async (answer: Parameters<Route['fulfill']>[0]): Promise<void> => {
    await page.unroute('**/reports?limit=100')
    await page.route('**/reports?limit=100', (route) => {
      tags.push(route.request().headers()['if-none-match'])
      return route.fulfill(answer)
    })
    await page.clock.fastForward(31_000)
  }
  const renewed = exampleCard({ source_name: 'Renewed' })
  await answerNext({ json: exampleReportList([renewed]), headers: { etag: '"7"' } })
  // The next interval begins when this response arrives, so the clock must wait for it.
  await page.getByText('Renewed').waitFor()
  await answerNext({ status: 304 })
  await expect.poll(() => tags).toEqual([undefined, '"7"'])
  expect(await page.locator('main ul > li').count()).toBe(1)
})

test('Without numbers, an owner or developer is led to the first and a reader sees who can help', async () => {
  const empty = { 'GET /console/companies/{company_id}/reports': () => exampleReportList([]) }
  const page = await open(list, empty)
  expect(await page.getByRole('link', { name: 'New source' }).getAttribute('href')).toContain('/sources/new')
  await page.getByRole('link', { name: 'Invite a developer' }).waitFor()
  expect(await lookOver(page, 'reports-empty-owner')).toEqual([])

  const developer = await open(list, {
    ...empty,
    'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: 'developer' }] }),
  })
  await developer.getByRole('heading', { name: 'Send your first number in about five minutes' }).waitFor()
  expect(await lookOver(developer, 'reports-empty-developer')).toEqual([])

  const reader = await open(list, {
    ...empty,
    'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: 'reader' }] }),
  })
  await reader.getByRole('heading', { name: 'No reports yet' }).waitFor()
  await reader.getByRole('listitem').filter({ hasText: 'Per Norrsken' }).waitFor()
  expect(await reader.getByRole('link', { name: 'New source' }).count()).toBe(0)
  expect(await lookOver(reader, 'reports-empty-reader')).toEqual([])
})
