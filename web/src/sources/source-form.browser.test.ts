import { describe, expect, test } from 'vitest'
import {
  at,
  company,
  press,
  preview,
  readExample,
  shown,
  source,
  startSourcePages,
  unchanged,
  version,
  webhookShop,
} from '../testing/source-scene.ts'

const open = startSourcePages()

describe('A new source', () => {
  const made = { ...shown().source, name: 'Kista store' }

  test('is created from a pasted example by keyboard, and the example is not stored', async () => {
    const { page, sentTo, calls } = await open(at('/new'), {
      'POST /console/companies/{company_id}/sources': () => made,
    })
    const next = () => page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).pressSequentially('Kista store')
    await page.getByLabel('Type of system').pressSequentially('Till')
    await next()
    await page.getByRole('radio', { name: 'Push' }).press('Space')
    await next()
    await page.getByLabel('Paste a few rows').fill('sold_at,amount\n2026-11-20,"1 249,00"')
    await page.getByRole('button', { name: 'Read example' }).press('Enter')
    await page.getByText('1 row would be refused').waitFor()
    expect(await page.getByLabel('Field', { exact: true }).nth(3).inputValue()).toBe('cashier')
    expect(await page.getByRole('checkbox', { name: 'Personal' }).nth(3).isChecked()).toBe(true)
    await next()
    expect(await page.getByRole('radio', { name: 'sold_at' }).isChecked()).toBe(true)
    await next()
    await next()
    await page.getByRole('alert').getByText('Choose events or statements').waitFor()
    await page.getByRole('radio', { name: 'Events' }).press('Space')
    await next()
    await page.getByRole('button', { name: 'Add metric' }).press('Enter')
    await page.getByLabel('Metric', { exact: true }).selectOption('revenue')
    await page.getByLabel('Calculation').selectOption('sum')
    await page.getByLabel('Sum of').selectOption('amount')
    await page.getByLabel('Labels').selectOption('till')
    await page
      .getByText('Adds up amount of every row, per day of sold_at, for each till, in SEK.')
      .first()
      .waitFor()
    await page.clock.runFor(1_000)
    await page.getByText('41,318.50').waitFor()
    const kept = await page.evaluate(() => JSON.stringify(localStorage))
    expect(kept).toContain('Kista store')
    expect(kept).not.toContain('249,00')
    await page.getByRole('button', { name: 'Create source' }).press('Enter')
    await page.waitForURL(`**${at(source)}`)
    expect(sentTo('POST /console/companies/{company_id}/sources')).toEqual([
      {
        name: 'Kista store',
        system_kind: 'Till',
        channel: 'push',
        format: 'csv',
        fields: readExample.fields.map(({ name, type, personal }) => ({ name, type, personal })),
        event_time: 'sold_at',
        metrics: [
          {
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            filters: [],
            group_by: ['till'],
            period: 'day',
          },
        ],
        delivers: 'events',
      },
    ])
    const previews = calls.filter(({ operation }) => operation.endsWith('/sources/preview'))
    expect(previews.at(-1)!.body).toMatchObject({
      example: { text: 'sold_at,amount\n2026-11-20,"1 249,00"' },
    })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
    ).toEqual([])
  })

  test('asks before it is left, and is restored without its example', async () => {
    const { page } = await open(at('/new'))
    await page.getByLabel('Name', { exact: true }).fill('Kista store')
    await page.clock.runFor(1_000)
    await page.getByText(/saved on this device at 11:00/).waitFor()
    await page.getByRole('link', { name: 'Leave' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
    await press(page, 'Save draft')
    await page.waitForURL(`**${at()}`)
    await page.getByRole('link', { name: 'New source' }).click()
    await page.getByText('You are continuing your draft.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
    await page.getByLabel('Name', { exact: true }).fill('Kista stores')
    await press(page, 'Start over')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  })

  test('reports what is missing at the field and at the top, which takes the focus, and allows typing', async () => {
    const { page } = await open(at('/new'))
    await press(page, 'Next')
    const summary = page.getByRole('alert')
    await summary.getByText('2 problems').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toContain('2 problems')
    await summary.getByRole('link').first().click()
    const name = page.getByLabel('Name', { exact: true })
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    // Other problems remain.
    await name.pressSequentially('Kista store')
    expect(await name.inputValue()).toBe('Kista store')
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
  })

  test('shows the signing secret of a webhook source once, and continues when it is saved', async () => {
    const stored = {
      draft: {
        revision: null,
        shape_version: null,
        name: 'Returns',
        system_kind: 'Returns desk',
        channel: 'webhook',
        format: '',
        fields: [{ id: 1, name: 'at', type: 'timestamp', personal: false }],
        event_time: 'at',
        delivers: 'events',
        metrics: [],
        next: 2,
      },
      savedAt: '2026-11-20T09:00:00Z',
    }
    const { page } = await open(at('/new'), {
      'POST /console/companies/{company_id}/sources': () => ({
        ...webhookShop,
        signing_secret: 'nws_secret',
      }),
    })
    const key = `numera.draft.3.member-1.${company.company_id}.new`
    await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [key, JSON.stringify(stored)])
    await page.reload()
    await page.getByText('You are continuing your draft.').waitFor()
    await page.getByRole('button', { name: 'Metrics' }).click()
    await press(page, 'Create source')
    await page.getByText('It is shown only once.').waitFor()
    expect(await page.getByLabel('Signing secret').inputValue()).toBe('nws_secret')
    const on = page.getByRole('button', { name: 'Go to quick start' })
    expect(await on.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await on.click()
    await page.waitForURL(`**${at(`${source}/start`)}`)
  })
})

describe('An example', () => {
  test('from a file is sent unchanged, and adds missing fields to existing ones', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'sålt.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([0x6b, 0xf6, 0x70]),
    })
    await press(page, 'Add 4 missing fields')
    expect(sentTo('POST /console/companies/{company_id}/sources/example')).toEqual([
      { content_base64: 'a/Zw' },
    ])
    expect(await page.getByLabel('Field', { exact: true }).count()).toBe(11)
  })
})

describe('A new version', () => {
  const save = 'PUT /console/companies/{company_id}/sources/{source_id}'

  test('is sent whole with its base revision, and a renamed field is renamed in its metrics', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`), {
      [save]: () => ({ source: shown().source, rebuilds: true }),
    })
    await page.getByLabel('Field', { exact: true }).nth(4).fill('land')
    await press(page, 'Save as version 4')
    await page.waitForURL(`**${at(source)}`)
    const [sent] = sentTo(save) as [{ expected_revision: number; metrics: { group_by: string[] }[] }]
    expect(sent.expected_revision).toBe(shown().source.revision)
    expect(sent.metrics[0]!.group_by).toEqual(['land'])
    expect(sent).toMatchObject({ ...unchanged(), fields: expect.anything(), metrics: expect.anything() })
  })

  test('says what changed, and that stored deliveries are rebuilt', async () => {
    const { page } = await open(at(`${source}/change?step=fields`))
    await press(page, 'Add field')
    await page.getByLabel('Field', { exact: true }).nth(7).fill('channel')
    await page.getByRole('button', { name: 'Metrics' }).click()
    await page.clock.runFor(1_000)
    await page.getByText('Creates shape version 4. New field: \u2068channel\u2069.').waitFor()
    await page.getByText('Rebuilds all 21,480 stored deliveries.').waitFor()
  })

  test('is previewed as if a delivery were sent with it: rows refused as sent, and now', async () => {
    const operation = 'POST /console/companies/{company_id}/sources/{source_id}/preview'
    const artifactId = preview().deliveries[0]!.artifact_id!
    const { page, sentTo } = await open(at(`${source}/change?step=fields&delivery=${artifactId}`), {
      [operation]: ({ body }) => {
        const { declaration, artifact_id } = body as {
          declaration: typeof version
          artifact_id: string | null
        }
        if (artifact_id === null) return preview()
        const isText = declaration.fields[2]!.type === 'text'
        const compared = { rows_refused: 2_000, rows_newly_accepted: 0, rows_newly_refused: 0 }
        return preview({
          of: 'delivery',
          compared: isText ? { ...compared, rows_newly_accepted: 1_998, rows_newly_refused: 1 } : compared,
        })
      },
    })
    await page.clock.runFor(1_000)
    await page.getByText('None of the refused rows would be accepted.').waitFor()
    await page.getByLabel('Type', { exact: true }).nth(2).selectOption('text')
    await page.clock.runFor(1_000)
    await page.getByText('1,998 refused rows would be accepted. 1 accepted row would be refused.').waitFor()
    // One of the metrics multiplies with it.
    await page.getByText('Metrics that no longer fit the fields are left out.').waitFor()
    expect(await page.locator('dl').first().innerText()).toMatch(/Refused as sent\s+2,000\s+.*\s+3$/)
    await page.getByRole('button', { name: 'Metrics' }).click()
    await page.waitForURL('**step=metrics*')
    expect(await page.getByRole('radio', { name: 'This delivery' }).isChecked()).toBe(true)
    await page.getByText('1,998 refused rows would be accepted.').waitFor()
    expect(sentTo(operation)).toHaveLength(2)
  })

  test('shows a concurrent save side by side, and continues with either', async () => {
    const theirs = { ...shown().source, revision: shown().source.revision + 1, name: 'Shop' }
    const { page, sentTo } = await open(at(`${source}/change?step=name`), {
      [save]: ({ body }) =>
        (body as { expected_revision: number }).expected_revision === theirs.revision
          ? { source: theirs, rebuilds: false }
          : Response.json(
              {
                code: 'conflict',
                message: 'The source was saved by another member meanwhile.',
                field: 'expected_revision',
                details: { source: theirs, version: { ...version, shape_version: 4 } },
              },
              { status: 409 },
            ),
    })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await page
      .getByRole('alert')
      .getByText(/saved this source on .*, while you were editing it/)
      .waitFor()
    const table = page.getByRole('region', { name: 'The saved source and yours' })
    await table.getByRole('row', { name: /Name.*Shop Web shop Sweden/ }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Web shop Sweden')
    await press(page, 'Continue with mine')
    await press(page, /^Save$/)
    await page.waitForURL(`**${at(source)}`)
    expect(sentTo(save).at(-1)).toMatchObject({ name: 'Web shop Sweden', expected_revision: theirs.revision })
  })

  test('refused by the service says so at the field, in any step', async () => {
    const { page } = await open(at(`${source}/change?step=delivers`), {
      [save]: () =>
        Response.json(
          {
            code: 'invalid_argument',
            message: 'The value is no number.',
            field: 'metrics[0].filters[0].value',
          },
          { status: 400 },
        ),
    })
    await page.getByRole('radio', { name: 'Statements' }).check()
    await press(page, 'Save as version 4')
    await page.getByRole('alert').getByText('Not accepted: The value is no number.').waitFor()
    const value = page.getByLabel('Value')
    expect(await value.getAttribute('aria-invalid')).toBe('true')
  })
})
