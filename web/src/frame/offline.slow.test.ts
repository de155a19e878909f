import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/api-stub.ts'
import { exampleApp } from '../testing/examples.ts'
import { at, heading, replies } from '../testing/frame-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('Without a network', () => {
  test('a write fails immediately, and is not sent later', async () => {
    let isOffline = false
    const { page, sentTo } = await open('/apps', {
      ...replies,
      'POST /console/apps/{connection_id}/end': () =>
        isOffline
          ? Response.error()
          : exampleApp({ state: 'ended', ended_at: '2026-11-20T10:00:00Z', ended_by: 'member' }),
    })
    await page.getByRole('button', { name: 'End access' }).click()
    isOffline = true
    await page.context().setOffline(true)
    await page.getByText('You are offline. What you see').waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'End access' }).click()
    await dialog.getByRole('alert').getByText('because you are offline').waitFor()
    isOffline = false
    const sent = sentTo('POST /console/apps/{connection_id}/end').length
    await page.context().setOffline(false)
    await page.clock.runFor(30_000)
    expect(sentTo('POST /console/apps/{connection_id}/end')).toHaveLength(sent)
    expect(await page.getByRole('main').getByText('Active').count()).toBe(1)
    await dialog.getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
  })

  test('a page fails immediately, and loads once the network is back', async () => {
    let isOffline = false
    const { page, calls } = await open(at('/reports'), {
      ...replies,
      'GET /console/companies/{company_id}/members': (call) =>
        isOffline ? Response.error() : replies['GET /console/companies/{company_id}/members']!(call),
    })
    await heading(page, 'Reports').waitFor()
    // Loaded last while the browser is idle, and not by the document before.
    let isReloaded = false
    page.once('domcontentloaded', () => (isReloaded = true))
    const loaded = page.waitForResponse(
      (response) => isReloaded && /\/sign-in-over[^/]*\.js/.test(response.url()),
    )
    await page.reload()
    await loaded
    isOffline = true
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('alert').getByText('because you are offline').waitFor()
    const before = calls.length
    await page.clock.runFor(10_000)
    expect(calls.length).toBe(before)
    isOffline = false
    await page.context().setOffline(false)
    await page.getByRole('rowheader', { name: /Olivia/ }).waitFor()
  })

  test('the time to wait is counted down on the button', async () => {
    let isBusy = true
    const { page } = await open('/signatures', {
      ...replies,
      'GET /console/signatures': () =>
        isBusy
          ? apiError(503, 'unavailable', '', { 'retry-after': '3' })
          : { signatures: [], next_cursor: null },
    })
    await page.getByRole('button', { name: /^Try again in [123] seconds?$/, disabled: true }).waitFor()
    isBusy = false
    await page.clock.runFor(3_000)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByRole('heading', { name: 'You have not signed anything yet' }).waitFor()
  })
})
