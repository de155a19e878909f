import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { DeliveryList } from '../deliveries/delivery-queries.ts'
import type { Replies } from '../testing/api-stub.ts'
import { exampleDelivery } from '../testing/examples.ts'
import { later } from '../testing/replies.ts'
import {
  activity,
  at,
  heading,
  last,
  press,
  shown,
  source,
  startSourcePages,
  webhook,
  webhookShop,
  webShop,
} from '../testing/source-scene.ts'

const open = startSourcePages()

describe('The page', () => {
  test.each([
    ['sources', '', 'Sources', {}],
    ['source-overview', source, 'Web shop', {}],
    ['source-start', `${source}/start`, 'Web shop', {}],
    ['source-start-webhook', `${source}/start`, 'Web shop', webhook],
    ['source-metrics', `${source}/metrics`, 'Web shop', {}],
    ['source-versions', `${source}/versions`, 'Web shop', {}],
    ['source-settings', `${source}/settings`, 'Web shop', webhook],
    ['source-change', `${source}/change?step=metrics`, 'Web shop', {}],
    ['source-channel', `${source}/change?step=channel`, 'Web shop', {}],
    ['source-fields', `${source}/change?step=fields`, 'Web shop', {}],
    ['source-time', `${source}/change?step=time`, 'Web shop', {}],
    ['source-delivers', `${source}/change?step=delivers`, 'Web shop', {}],
    ['source-new', '/new', 'New source', {}],
    [
      'sources-none',
      '',
      'Sources',
      { 'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }) },
    ],
  ] satisfies [string, string, string, Replies][])(
    'of %s fits a phone and is accessible, light and dark, in each language',
    async (name, path, title, given) => {
      const { page } = await open(at(path), given)
      await heading(page, title).waitFor()
      await page.getByText('One moment …').first().waitFor({ state: 'detached' })
      if (name === 'source-change') await page.getByText('41,318.50').waitFor()
      expect(await lookOver(page, name)).toEqual([])
    },
  )

  test.each([
    '',
    source,
    `${source}/start`,
    `${source}/versions`,
    `${source}/change?step=fields`,
    `${source}/change?step=metrics`,
  ])('of %s fits into 320 px', async (path) => {
    const { page } = await open(at(path), {}, { viewport: { width: 320, height: 640 } })
    await heading(page, path === '' ? 'Sources' : 'Web shop').waitFor()
    await page.getByText('One moment …').first().waitFor({ state: 'detached' })
    const over = await page
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(over).toBe(0)
  })
})

describe('A source', () => {
  test('says which metric missed values in the delivery that arrived', async () => {
    const missing = { metric: 'revenue', field: 'amount', rows: 1 }
    const { page } = await open(at(`${source}/start`), {
      'GET /console/companies/{company_id}/deliveries': () => ({
        deliveries: [exampleDelivery({ missing_values: [missing] })],
        next_cursor: null,
        count: null,
        searched_to: null,
      }),
    })
    await page.getByRole('note', { name: /^Revenue: 1 row had no .*amount.* and added nothing/ }).waitFor()
  })

  test('with a delivery neither waits for its first nor announces the last', async () => {
    const last = later<DeliveryList>({
      deliveries: [exampleDelivery({ key: 'nightly-1' })],
      next_cursor: null,
      count: null,
      searched_to: null,
    })
    const { page } = await open(at(`${source}/start`), {
      'GET /console/companies/{company_id}/deliveries': last.reply,
    })
    await page.getByRole('heading', { name: 'See it arrive' }).waitFor()
    expect(await page.getByText('Waiting for your first delivery …').count()).toBe(0)
    last.send()
    await page.getByRole('heading', { name: 'Last delivery' }).waitFor()
    expect(await page.getByText('has arrived').count()).toBe(0)
    // It counts, so its figures are one press away.
    await page.getByRole('link', { name: 'View in reports' }).waitFor()
  })

  test('warns about a sandbox connection with production data, and the reverse', async () => {
    const first = await open(at(`${source}/start`))
    await first.page
      .getByText('This connection sends test data, but the source has production data.')
      .waitFor()
    await first.page.getByRole('combobox', { name: 'Choose a connection' }).selectOption({ index: 1 })
    await first.page.getByText('What it sends counts in reports.').waitFor()
    await first.page.getByText(`/v1/ingest?source_id=${webShop.source_id}`).first().waitFor()
    await first[Symbol.asyncDispose]()
    const { page } = await open(at(`${source}/start`), {
      'GET /console/companies/{company_id}/sources/{source_id}': () =>
        shown({ activity: activity({ last_delivery: last({ sandbox: true }) }) }),
    })
    await page.getByRole('combobox', { name: 'Choose a connection' }).selectOption({ index: 1 })
    await page.getByText('This is a production connection.').waitFor()
  })

  test.for([
    [null, undefined],
    [59, 'About 1 minute left.'],
    [110, 'About 2 minutes left.'],
    [9_100, 'About 3 hours left.'],
  ] as const)(
    'being rebuilt shows its progress, and with %s seconds left: %s',
    async ([seconds, sentence]) => {
      const rebuild = { state: 'parsing', done: 1_200, total: 21_480, seconds_left: seconds } as const
      const { page } = await open(at(source), {
        'GET /console/companies/{company_id}/sources/{source_id}': () =>
          shown({ activity: activity({ rebuild }) }),
      })
      await page.getByText('1,200 of 21,480 deliveries done.').waitFor()
      expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1200')
      if (sentence === undefined) expect(await page.getByText(/ left\.$| left\. /).count()).toBe(0)
      else expect(await page.getByText(sentence).count()).toBe(1)
    },
  )

  test('with webhooks shows a new secret after a quick second press, and asks before it is left', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { page } = await open(at(`${source}/settings`), {
      ...webhook,
      'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': async () => {
        await answered
        return { ...webhookShop, signing_secret: 'nws_new' }
      },
    })
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await press(page, 'Rotate')
    const dialog = page.getByRole('dialog', { name: /signing secret of/ })
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    answer()
    const secret = dialog.getByLabel('Signing secret')
    await secret.waitFor()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    expect(await secret.inputValue()).toBe('nws_new')
    expect(await secret.isVisible()).toBe(true)
    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without the secret?' }).getByText('Stay').click()
    await dialog.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})
