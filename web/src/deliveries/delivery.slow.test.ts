import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import {
  at,
  fields,
  heading,
  inFull,
  rowTable,
  storedRows,
  listRows,
  one,
  replies,
  toRowList,
  soon,
  sources,
  unread,
} from '../testing/delivery-scene.ts'
import { later } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('A delivery', () => {
  const path = at(`/${inFull.artifact_id}`)

  test('of a statements source says to send whole periods again', async () => {
    const statement = { ...inFull, source_id: sources[1]!.source_id, delivers: 'statements' as const }
    const { page } = await open(path, { ...replies, [one]: () => statement })
    await page.getByText('send each of their periods in full, with a new key').waitFor()
    await page.getByRole('button', { name: 'Correct with curl' }).click()
    await page.getByText(/Export these periods again to .*corrected\.json/).waitFor()
    await page.getByText('--data-binary @corrected.json').waitFor()
  })

  test('of a source whose mode has changed says which applies now', async () => {
    const { page } = await open(path, {
      ...replies,
      [one]: () => ({ ...inFull, source_id: sources[1]!.source_id, delivers: 'events' as const }),
    })
    await page.getByText('The source sent events when this was received. It now sends statements').waitFor()
  })

  test('copies its current address', async () => {
    const { page } = await open(path, replies)
    await page.getByRole('radio', { name: 'All 48' }).check()
    await page.waitForURL('**?rows=all')
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (document.body.dataset['copied'] = text)
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.locator('body').getAttribute('data-copied')).toBe(page.url())
  })

  test('marks broken, truncated and missing values, and cells without a column', async () => {
    const { page } = await open(`${path}?rows=all`, {
      ...replies,
      [listRows]: () => ({
        fields: fields.slice(0, 2),
        rows: [
          {
            row: 1,
            line: 2,
            values: [{ text: 'x'.repeat(1_000), characters: 12_345 }, null],
            cells: null,
            refusal: null,
          },
          {
            row: 2,
            line: 3,
            values: [{ text: 'K\uFFFDpm', broken: true }, null],
            cells: null,
            refusal: null,
          },
          {
            row: 3,
            line: 4,
            values: null,
            cells: 3,
            refusal: { field: null, code: 'cells_differ', reason: '' },
          },
          {
            row: 4,
            line: 5,
            values: [null, { masked: true }],
            cells: null,
            refusal: { field: 'ordered_at', code: 'event_time_missing', reason: '' },
          },
        ],
        refusals_known_to: 104,
        broken: { row: 5, reason: 'The quote in line 6 is never closed.' },
        next_cursor: null,
      }),
    })
    await page.getByText('… 12,345 characters in total').waitFor()
    await page.getByText(/Not UTF-8/).waitFor()
    await page.getByText(/^3 cells belong to no column/).waitFor()
    await page.getByText('The row does not have as many cells as the header row.').waitFor()
    await page.getByText('It is the event time, which every row needs').waitFor()
    await page.getByText('The content cannot be read from row 5 onwards.').waitFor()
    await page.getByText('Those after row 104 are not marked.').waitFor()
    expect(await lookOver(page, 'delivery-broken')).toEqual([])
  })

  test('that is parsed while open keeps its rows until their refusals are known', async () => {
    let version = '1'
    const rows = later(toRowList())
    let isRequested = false
    const queued = { ...inFull, state: 'queued' as const, parsed_at: null, refusals: [], ...unread }
    const { page } = await open(`${path}?rows=all`, {
      ...replies,
      deliveryChanges: () => version,
      [one]: () => (version === '1' ? queued : inFull),
      [listRows]: () => {
        if (version === '1') return toRowList({ rows: storedRows.slice(0, 3).map((row) => ({ ...row })) })
        isRequested = true
        return rows.reply()
      },
    })
    await expect.poll(() => rowTable(page).getByRole('rowheader').count(), soon).toBe(3)
    version = '2'
    await expect.poll(() => isRequested, soon).toBe(true)
    await page.getByText('2 rows were refused').waitFor()
    expect(await rowTable(page).getByRole('rowheader').count()).toBe(3)
    rows.send()
    await expect.poll(() => rowTable(page).getByRole('rowheader').count(), soon).toBe(8)
  })

  test('on a phone shows refused rows first, each with what to send', async () => {
    const { page } = await open(path, replies, { viewport: { width: 390, height: 844 } })
    const blocks = page.getByRole('list', { name: 'Refused rows' }).getByRole('listitem')
    await expect.poll(() => blocks.count(), soon).toBe(2)
    expect(await blocks.first().innerText()).toContain('1249.00')
    await page.getByRole('button', { name: 'Show all 48 stored rows' }).click()
    await rowTable(page).waitFor()
    expect(new URL(page.url()).search).toBe('?rows=all')
  })

  test('that does not exist says so', async () => {
    const { page } = await open(path, { ...replies, [one]: () => apiError(404, 'not_found') })
    await page.getByText('This does not exist, or you do not have access to it.').waitFor()
  })

  test('with hostile names, many fields and long values fits the screen', async () => {
    const hostile = '<b>x</b>\u202Eevil\u200B🧨'.repeat(10)
    const wide = Array.from({ length: 200 }, (_, index) => ({
      name: index === 0 ? hostile : `field_${index}`,
      type: 'text' as const,
      personal: index % 2 === 1,
    }))
    const { page } = await open(
      `${path}?rows=all`,
      {
        ...replies,
        'GET /console/companies/{company_id}/sources': () => ({
          sources: [{ ...sources[0]!, name: hostile }],
          next_cursor: null,
        }),
        [one]: () => ({
          ...inFull,
          key: 'k'.repeat(200),
          dropped_keys: Array.from({ length: 50 }, () => 'd'.repeat(200)),
        }),
        [listRows]: () =>
          toRowList({
            fields: wide,
            rows: [
              {
                row: 1,
                line: null,
                cells: null,
                values: wide.map(({ personal }) =>
                  personal ? { masked: true } : { text: 'w'.repeat(1_000) },
                ),
                refusal: { field: hostile, code: 'label_too_long', reason: '' },
              },
            ],
          }),
      },
      { viewport: { width: 320, height: 700 } },
    )
    await page.getByText('100 fields are personal and masked.').waitFor()
    for (const width of [320, 1_280, 2_560]) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(
          () => page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
          soon,
        )
        .toBe(0)
    }
  })

  test('is accessible and fits on a phone', async () => {
    const { page } = await open(path, replies)
    await heading(page, /Delivery from/).waitFor()
    await page.getByRole('list', { name: 'Refused rows' }).waitFor()
    expect(await lookOver(page, 'delivery')).toEqual([])
    await page.getByRole('radio', { name: 'All 48' }).check()
    await page.getByText('Show rows 9').waitFor()
    expect(await lookOver(page, 'delivery-rows')).toEqual([])
  })

  test('is accessible and fits on a phone with the command open', async () => {
    const { page } = await open(`${path}?curl=open`, replies)
    await page.getByText('Then', { exact: true }).waitFor()
    expect(await lookOver(page, 'delivery-curl')).toEqual([])
  })
})
