import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import {
  at,
  deliveries,
  delivery,
  heading,
  id,
  list,
  listCalls,
  listed,
  listLast,
  replies,
  soon,
  table,
  toList,
} from '../testing/delivery-scene.ts'
import { exampleSource } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The deliveries', () => {
  test('offer to clear filters that nothing matches', async () => {
    const { page } = await open(at('?state=unreadable&search=zzz'), {
      ...replies,
      [list]: ({ query }) => toList(query['state'] === undefined ? deliveries : []),
    })
    await page.getByRole('heading', { name: 'No deliveries match the filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table(page, 'All deliveries').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  test('explain what a delivery is before the first one, for any range', async () => {
    const { page } = await open(at(''), {
      ...replies,
      [list]: () => toList([]),
      [listLast]: () => ({ deliveries: [], next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    expect(await page.getByText('in the last 30 days').count()).toBe(0)
  })

  test('lead to older ones if the range is empty', async () => {
    const { page } = await open(at(''), {
      ...replies,
      [list]: ({ query }) => toList(query['from'] === undefined ? deliveries : []),
    })
    await page.getByRole('heading', { name: 'No deliveries in the last 30 days' }).waitFor()
    await page.getByRole('button', { name: 'Show deliveries from any time' }).click()
    await table(page, 'All deliveries').waitFor()
    expect(new URL(page.url()).search).toBe('?range=all')
  })

  test('of many sources show a few, and the others on request', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      exampleSource({ source_id: id('a', index + 1), name: `Source ${index}` }),
    )
    const { page } = await open(at(''), {
      ...replies,
      'GET /console/companies/{company_id}/sources': () => ({ sources: many, next_cursor: null }),
      [listLast]: ({ query }) => ({
        deliveries:
          query['sandbox'] === 'true'
            ? []
            : many.map(({ source_id }, index) =>
                delivery(index, { source_id, rows_refused: index % 10 === 9 ? 1 : 0 }),
              ),
        next_cursor: null,
      }),
    })
    await page.getByText('22 more sources, 3 with refused rows').waitFor()
    await page.getByRole('link', { name: 'All 30 sources' }).click()
    await expect
      .poll(() => table(page, 'Last delivery of each source').getByRole('row').count(), soon)
      .toBe(31)
    expect(new URL(page.url()).search).toBe('?sources=all')
  })

  test('on a phone are two lines each, with the filters in a dialog', async () => {
    const { page } = await open(at(''), replies, { viewport: { width: 390, height: 844 } })
    const items = page.getByRole('list', { name: 'All deliveries' }).getByRole('listitem')
    await expect.poll(() => items.count(), soon).toBe(9)
    await expect
      .poll(async () => (await items.first().innerText()).replaceAll(/\s+/g, ' '), soon)
      .toBe('Web shop 10:58:12 46 accepted, 2 refused Parsed')
    await page.getByRole('button', { name: 'Filters' }).click()
    const dialog = page.getByRole('dialog', { name: 'Filters' })
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('Unreadable')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=unreadable')
  })

  test('keep what is shown if reloading fails, and say so', async () => {
    let isUnavailable = false
    let version = '1'
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: () =>
        isUnavailable ? apiError(503, 'internal', 'No turn.', { 'retry-after': '5' }) : toList(deliveries),
    })
    await table(page, 'All deliveries').waitFor()
    isUnavailable = true
    version = '2'
    await page.getByRole('alert').getByText('That did not work').waitFor()
    expect(await listed(page)).toHaveLength(9)
  })

  test('can be opened by keyboard', async () => {
    const { page } = await open(at(''), replies)
    const link = table(page, 'All deliveries').getByRole('link').first()
    await link.focus()
    await page.keyboard.press('Enter')
    await heading(page, /Delivery from/).waitFor()
  })

  test('are accessible and fit on a phone', async () => {
    const { page } = await open(at(''), replies)
    await table(page, 'All deliveries').waitFor()
    await page.getByText('9 of 2,911').waitFor()
    expect(await lookOver(page, 'deliveries')).toEqual([])
  })
})

describe('The refused calls', () => {
  test('can be empty', async () => {
    const { page } = await open(at('?tab=calls'), {
      ...replies,
      [listCalls]: () => ({ refused_calls: [], count: 0, next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No refused calls in the last 30 days' }).waitFor()
  })

  test('are accessible and fit on a phone', async () => {
    const { page } = await open(at('?tab=calls'), replies)
    await table(page, 'Refused calls, newest first').waitFor()
    expect(await lookOver(page, 'refused-calls')).toEqual([])
  })
})
