import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import {
  at,
  hasFocus,
  heading,
  press,
  preview,
  shown,
  source,
  startSourcePages,
  version,
} from '../testing/source-scene.ts'

const open = startSourcePages()

describe('A new source', () => {
  test('that is left right after the last letter is restored in full', async () => {
    const { page } = await open(at('/new'))
    await page.clock.pauseAt('2026-11-20T10:01:00Z')
    await page.getByLabel('Name', { exact: true }).fill('Kista store')
    await press(page, 'Save draft')
    await page.waitForURL(`**${at()}`)
    await page.clock.resume()
    await page.getByRole('link', { name: 'New source' }).click()
    await page.getByText('You are continuing your draft.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
  })

  test('keeps the focus near a removed part, and moves it to an opened one', async () => {
    const { page } = await open(at(`${source}/change?step=metrics`))
    await press(page, 'Edit')
    await hasFocus(page.getByLabel('Metric', { exact: true }))
    await press(page, /^Actions: .*Active users/)
    await press(page, 'Remove metric')
    await hasFocus(page.getByRole('button', { name: 'Add metric' }))
    await page.getByRole('button', { name: 'Fields' }).click()
    for (let left = version.fields.length; left > 0; left--) {
      await page
        .getByRole('button', { name: /^Remove field/ })
        .first()
        .click()
    }
    await hasFocus(page.getByRole('button', { name: 'Add field' }))
  })
})

describe('An example', () => {
  test.each([
    [apiError(400, 'invalid_argument', 'A quote is never closed.'), /did not accept/],
    [
      Response.json(
        {
          code: 'invalid_argument',
          message: 'A quote is never closed.',
          details: { fault: 'open_quote', line: 7 },
        },
        { status: 400 },
      ),
      'The example is not valid on line 7. A quote is never closed.',
    ],
    [
      Response.json(
        { code: 'invalid_argument', message: 'No.', details: { fault: 'spreadsheet', line: null } },
        { status: 400 },
      ),
      /Save it as CSV in UTF-8/,
    ],
  ])('that is invalid says where, and what to do (%#)', async (reply, sentence) => {
    const { page } = await open(at(`${source}/change?step=fields`), {
      'POST /console/companies/{company_id}/sources/example': () => reply.clone(),
    })
    await page.getByLabel('Paste a few rows').fill('a,"b')
    await press(page, 'Read example')
    await page.getByRole('alert').getByText(sentence).waitFor()
  })

  test('beyond 8 MiB is not sent', async () => {
    const { page, calls } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.alloc(8 * 1024 * 1024 + 1, 'a'),
    })
    await page.getByRole('alert').getByText('It is larger than 8 MiB. Use only its first rows.').waitFor()
    expect(calls.some(({ operation }) => operation.endsWith('/example'))).toBe(false)
  })

  test('beyond 8 MiB with a row per line is cut to its first rows, and says so', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`sold_at,amount\n${'2026-11-20,80.00\n'.repeat(500_000)}`),
    })
    await page.getByText('It is larger than 8 MiB, so only the first rows were read.').waitFor()
    const [sent] = sentTo('POST /console/companies/{company_id}/sources/example') as {
      content_base64: string
    }[]
    const rows = Buffer.from(sent!.content_base64, 'base64').toString().split('\n')
    expect([rows[0], rows[1], rows.at(-2), rows.at(-1)]).toEqual([
      'sold_at,amount',
      '2026-11-20,80.00',
      '2026-11-20,80.00',
      '',
    ])
  })
})

describe('A new version', () => {
  const save = 'PUT /console/companies/{company_id}/sources/{source_id}'

  test('without edits follows a save in another tab', async () => {
    let saved = shown()
    const { page } = await open(at(`${source}/change?step=name`), {
      'GET /console/companies/{company_id}/sources/{source_id}': () => saved,
    })
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    saved = shown({ source: { ...saved.source, revision: saved.source.revision + 1, name: 'Shop' } })
    await page.clock.runFor(10_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => name.inputValue()).toBe('Shop')
    expect(await page.getByText('Someone else saved this source').count()).toBe(0)
    await page.getByRole('link', { name: 'Leave' }).click()
    await heading(page, 'Sources').waitFor()
  })

  test('discarded for a concurrent save leaves nothing to save', async () => {
    const theirs = { ...shown().source, revision: shown().source.revision + 1, name: 'Shop' }
    const { page } = await open(at(`${source}/change?step=name`), {
      [save]: () =>
        Response.json(
          { code: 'conflict', message: 'Saved.', details: { source: theirs, version } },
          { status: 409 },
        ),
    })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await page.getByRole('region', { name: 'The saved source and yours' }).waitFor()
    expect(await lookOver(page, 'source-conflict')).toEqual([])
    await press(page, 'Use the saved one')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop')
    await page.clock.runFor(1_000)
    await page.getByRole('link', { name: 'Leave' }).click()
    await heading(page, 'Sources').waitFor()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
    ).toEqual([])
  })

  test('counts refused rows beyond those it lists', async () => {
    const [delivery] = preview().deliveries
    const { page } = await open(at(`${source}/change?step=metrics`), {
      'POST /console/companies/{company_id}/sources/{source_id}/preview': () =>
        preview({ rows_refused: 25, deliveries: [{ ...delivery!, rows_refused: 25 }] }),
    })
    await page.getByText('And 23 more rows.').waitFor()
  })

  test('says which metric would miss values, and how many rows are dated far ahead', async () => {
    const [delivery] = preview().deliveries
    const missing = { metric: 'revenue', field: 'unit_price', rows: 2 }
    const remarked = { ...delivery!, missing_values: [missing], rows_far_ahead: 1 }
    const { page } = await open(at(`${source}/change?step=metrics`), {
      'POST /console/companies/{company_id}/sources/{source_id}/preview': () =>
        preview({ deliveries: [remarked, { ...remarked, artifact_id: 'another' }] }),
    })
    await page
      .getByRole('note', { name: /^Revenue: 4 rows had no .*unit_price.* and added nothing/ })
      .waitFor()
    await page.getByRole('note', { name: '2 rows are dated more than 366 days ahead.' }).waitFor()
    expect(await lookOver(page, 'preview-remarks')).toEqual([])
  })

  test('with the name of another source says so at the name', async () => {
    const { page } = await open(at(`${source}/change?step=delivers`), {
      [save]: () =>
        Response.json({ code: 'conflict', message: 'Choose another name.', field: 'name' }, { status: 409 }),
    })
    await page.getByRole('radio', { name: 'Statements' }).check()
    await press(page, 'Save as version 4')
    await page.getByRole('alert').getByText('Choose another name.').waitFor()
    const name = page.getByRole('textbox', { name: /^Name/ })
    expect(await name.getAttribute('aria-invalid')).toBe('true')
  })

  test('keeps its input while the service is unavailable', async () => {
    const { page } = await open(at(`${source}/change?step=name`), { [save]: () => Response.error() })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await page.getByRole('alert').getByText('The service could not be reached').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Web shop Sweden')
  })
})
