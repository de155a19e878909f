import { describe, expect, test } from 'vitest'
import { exampleDelivery } from '../testing/examples.ts'
import {
  activity,
  at,
  press,
  shown,
  source,
  startSourcePages,
  webhook,
  webhookShop,
  webShop,
} from '../testing/source-scene.ts'

const open = startSourcePages()

describe('The list of sources', () => {
  test('shows the state of each source, with its rhythm and who paused it', async () => {
    const { page } = await open(at())
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('Returns').getByText('2 days ago, usually every day').waitFor()
    await row('Returns').getByText('Late', { exact: true }).first().waitFor({ state: 'attached' })
    await row('Mobile app')
      .getByText('Paused by \u2068Johan Berg\u2069: "\u2068moving to new SDK\u2069"')
      .waitFor()
    await row('Kista store').getByText('No production data yet').waitFor()
    await row('Web shop').getByRole('link', { name: '2 of 48 rows refused: open the delivery' }).waitFor()
    await row('Lager').getByText('None yet').waitFor()
  })

  test('pauses a source with a reason, and resumes another', async () => {
    const { page, sentTo } = await open(at(), {
      'POST /console/companies/{company_id}/sources/{source_id}/pause': () => undefined,
      'POST /console/companies/{company_id}/sources/{source_id}/resume': () => undefined,
    })
    await press(page, /^Actions: .*Web shop/)
    await press(page, 'Pause')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('x'.repeat(201))
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('The reason is 1 character too long.').waitFor()
    await dialog.getByLabel('Reason').fill(' stocktaking ')
    await dialog.getByLabel('Reason').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(sentTo('POST /console/companies/{company_id}/sources/{source_id}/pause')).toEqual([
      { reason: 'stocktaking' },
    ])
    await press(page, /^Actions: .*Mobile app/)
    await press(page, 'Resume')
    await page.getByRole('status').getByText('accepts deliveries again').waitFor({ state: 'attached' })
  })
})

describe('A source', () => {
  test('with deliveries opens on its overview, with each day in words, and leads to its quick start', async () => {
    const { page } = await open(at(source))
    await page.getByText('21,480 deliveries').waitFor()
    await page.getByText('every 15 minutes').waitFor()
    await page.getByText('144 in 60 days').waitFor()
    const days = page.getByRole('table', { name: 'What the source delivered each day' })
    expect(await days.getByRole('row').nth(5).innerText()).toMatch(/26 Sept? 2026\s+24\s+1,048\s+48\s+0/)
    await page.getByRole('link', { name: 'Quick start' }).click()
    await page.getByRole('heading', { name: 'See it arrive' }).waitFor()
  })

  test('waits for its first delivery, and then shows it', async () => {
    let came = false
    const { page } = await open(at(source), {
      deliveryChanges: () => (came ? '2' : '1'),
      'GET /console/companies/{company_id}/sources/{source_id}': () =>
        shown({ activity: activity({ last_delivery: null }) }),
      'GET /console/companies/{company_id}/deliveries': ({ query }) => {
        expect(query).toEqual({ source: webShop.source_id, limit: '1' })
        return {
          deliveries: came ? [exampleDelivery({ key: 'try-1', sandbox: true })] : [],
          next_cursor: null,
          count: null,
          searched_to: null,
        }
      },
    })
    await page.getByText('Waiting for your first delivery …').waitFor()
    expect(new URL(page.url()).pathname).toBe(at(`${source}/start`))
    came = true
    await page.getByRole('heading', { name: 'Your first delivery has arrived' }).waitFor()
    await page.getByText('46 accepted, 2 refused').waitFor()
    await page
      .getByRole('status')
      .getByText(/try-1.* has arrived/)
      .waitFor({ state: 'attached' })
    expect(await page.getByText('Waiting for your first delivery …').count()).toBe(0)
  })

  test('with webhooks rotates its secret, shows the overlap and ends it', async () => {
    const { page, sentTo } = await open(at(`${source}/settings`), {
      ...webhook,
      'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': () => ({
        ...webhookShop,
        signing_secret: 'nws_new',
      }),
      'POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret': () => undefined,
    })
    await page
      .getByRole('row', { name: /Previous/ })
      .getByText('22 hours left')
      .waitFor()
    await press(page, 'Revoke now')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke now' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      sentTo('POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret'),
    ).toHaveLength(1)
    await press(page, 'Rotate')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The one before it, which is still valid, is revoked immediately.').waitFor()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    expect(await dialog.getByLabel('Signing secret').inputValue()).toBe('nws_new')
    await page.keyboard.press('Escape')
    await dialog.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain('nws_new')
  })
})
