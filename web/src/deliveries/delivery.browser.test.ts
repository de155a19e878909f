import { describe, expect, test } from 'vitest'
import {
  at,
  deliveries,
  fields,
  heading,
  inFull,
  rowTable,
  storedRows,
  listRefusals,
  listRows,
  one,
  replies,
  toRowList,
  soon,
  table,
  unread,
} from '../testing/delivery-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('A delivery', () => {
  const path = at(`/${inFull.artifact_id}`)

  test('shows its receipt and its outcome', async () => {
    const { page } = await open(path, replies)
    await heading(page, /Delivery from .*Web shop/).waitFor()
    await page.getByText('Received 20 Nov 2026, 10:58:12.481').waitFor()
    await page.getByText('Push, JSON').waitFor()
    await page.getByText('3, events').waitFor()
    await page.getByText('coupon, utm_source').waitFor()
    await page
      .getByText(/48 rows/)
      .first()
      .waitFor()
    await page.getByText('9c41f7d1…02ae').waitFor()
    await page.getByText('2 rows were refused. The other 46 count.').waitFor()
    await page.getByText('Do not send accepted rows again.').waitFor()
    expect(await page.getByRole('link', { name: 'Earlier delivery' }).getAttribute('href')).toBe(
      at(`/${inFull.older_artifact_id}`),
    )
    expect(await page.getByRole('link', { name: 'Later delivery' }).count()).toBe(0)
  })

  test('shows its rows in order, refused cells outlined and personal fields masked', async () => {
    const { page } = await open(`${path}?rows=all`, replies)
    await page.getByText('are personal and masked.').waitFor()
    const lines = (await rowTable(page).getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines[4]).toMatch(/^4 2026-11-21T13:52:17\+01:00 .*1 249,00 SE paid$/)
    expect(lines[5]).toMatch(
      /unit_price.* is not a number\. Spaces and commas are not allowed\. Send 1249\.00$/,
    )
    expect(lines[9]).toMatch(/has no UTC offset\. Send 2026-11-21T13:58:00\+01:00, or only the date$/)
    expect(await rowTable(page).getByText('masked').count()).toBe(16)
    const cell = rowTable(page).getByRole('cell', { name: '1 249,00', exact: true })
    expect(await cell.evaluate((element) => getComputedStyle(element).boxShadow)).toMatch(/inset$/)
  })

  test('shows refused rows first, 2,000 with one reason as one line that opens to its first three', async () => {
    const [four, seven] = storedRows.filter(({ refusal }) => refusal !== null)
    const { page, calls } = await open(path, {
      ...replies,
      [one]: () => ({ ...inFull, rows_refused: 2_001 }),
      [listRefusals]: () => ({
        fields,
        groups: [
          { ...four!.refusal!, rows: 2_000, examples: [4, 5, 6].map((row) => ({ ...four!, row })) },
          { ...seven!.refusal!, rows: 1, examples: [seven!] },
        ],
      }),
    })
    const lines = page.getByRole('list', { name: 'Refused rows' }).locator('summary')
    await expect.poll(() => lines.allInnerTexts(), soon).toHaveLength(2)
    expect((await lines.first().innerText()).replaceAll(/[^\w,. ]|\n/g, ' ')).toMatch(
      /unit_price\s+is not a number\.\s+2,000 rows/,
    )
    expect(await page.getByText('Row 5').isVisible()).toBe(false)
    await lines.first().click()
    await page.getByRole('heading', { name: /^Row 6, / }).waitFor()
    expect(calls.filter(({ operation }) => operation === listRows)).toEqual([])
  })

  test('shows all rows, or only refused ones, by its address', async () => {
    const { page, calls } = await open(`${path}?rows=all`, replies)
    await page.getByRole('button', { name: 'Show rows 9–48' }).click()
    await expect
      .poll(() => calls.filter(({ operation }) => operation === listRows).map(({ query }) => query), soon)
      .toEqual([{ limit: '20' }, { limit: '200', cursor: 'after-8' }])
    await page.getByRole('radio', { name: 'Refused 2' }).check()
    await page.waitForURL('**?rows=refused')
    await page.getByRole('heading', { name: /^Row 4, / }).waitFor()
    expect(await rowTable(page).count()).toBe(0)
  })

  test('with refused rows leads to the source’s form, where a change is previewed with it', async () => {
    const { page } = await open(path, replies)
    const link = page.getByRole('link', { name: 'Preview a change of fields' })
    expect(await link.getAttribute('href')).toBe(
      `${at('').replace('deliveries', 'sources')}/${inFull.source_id}/change?step=fields&delivery=${inFull.artifact_id}`,
    )
  })

  test('that is queued updates automatically once it is parsed', async () => {
    let version = '1'
    const queued = { ...inFull, state: 'queued' as const, parsed_at: null, refusals: [], ...unread }
    const { page } = await open(path, {
      ...replies,
      deliveryChanges: () => version,
      [one]: () => (version === '1' ? queued : inFull),
    })
    await page.getByText('The delivery is stored and waiting to be parsed.').waitFor()
    version = '2'
    await page.getByText('2 rows were refused').waitFor()
    expect(await page.getByText('The delivery is stored and waiting to be parsed.').count()).toBe(0)
  })

  test('that is unreadable says why, and shows what could be read', async () => {
    const { page } = await open(path, {
      ...replies,
      [one]: () => ({ ...inFull, ...deliveries[3]!, refusals: [] }),
      [listRows]: () => toRowList({ rows: storedRows.slice(0, 2), next_cursor: null }),
    })
    await page.getByText('The quote in line 4 is never closed.').waitFor()
    await page.getByText('send everything again with a new key').waitFor()
    await expect.poll(() => rowTable(page).getByRole('rowheader').count(), soon).toBe(2)
  })

  test('shows the samples that it changed, digit by digit', async () => {
    const { page } = await open(path, replies)
    const samples = table(page, /^Samples that the delivery changed/)
    // The list of sources has its name.
    await samples.getByText(/^Revenue/).waitFor()
    const lines = (await samples.getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines.slice(1)).toEqual([
      'Revenue, SEK 21 Nov 2026 SE 22,898.50 +18,420.00 41,318.50',
      'Active users Week 47, 16–22 Nov – 13,089 +31 13,120',
    ])
    await page.getByText('7, the first 2 shown').waitFor()
  })

  test('offers a corrected copy as curl, with a new key and without a secret', async () => {
    const { page } = await open(path, replies)
    await page.getByRole('button', { name: 'Correct with curl' }).click()
    await page.waitForURL('**?curl=open')
    const dialog = page.getByRole('dialog', { name: 'Send a corrected copy' })
    await dialog.getByText('2 values were corrected').waitFor()
    await dialog.getByText(/FILL IN with your values: .*customer_id.*customer_email/).waitFor()
    const code = await dialog.getByRole('region', { name: 'Then' }).innerText()
    const sent = JSON.parse(code.slice(code.indexOf('{'), code.indexOf('\nEND_OF_ROWS')))
    expect(sent).toMatchObject({
      idempotency_key: expect.stringMatching(/^order-batch-20931-corrected-202611201\d{5}$/),
      shape_version: 3,
      payload: [
        { unit_price: '1249.00', customer_id: 'FILL IN' },
        { ordered_at: '2026-11-21T13:58:00+01:00' },
      ],
    })
    expect(code).toContain('"$NUMERA_SECRET"')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Correct with curl')
  })
})
