import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { lookOver, painted, sizes } from '../../../testing/browser/screens.ts'
import type { Call, Replies } from '../testing/api-stub.ts'
import { exampleCard, exampleReportList } from '../testing/example-reports.ts'
import { exampleConnection, exampleDelivery, exampleSession, exampleSource } from '../testing/examples.ts'
import { at, ekeby, heading, norrsken, replies } from '../testing/frame-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

/** Their own tests do not look at them as a whole. */
const simplePages = [
  ['connection', at(`/connections/${exampleConnection().connection_id}`), 'Ledger nightly'],
  ['members', at('/members'), 'Members'],
  ['signatures', '/signatures', 'Your signatures'],
  ['unknown', '/nowhere', 'Page not found'],
  ['role', at('/members', norrsken), 'Your role does not have access to this page'],
] as const

const ledger = `/sources/${exampleSource().source_id}`

const mainPages = [
  ['companies', '/', 'Companies'],
  ['reports', at('/reports'), 'Reports'],
  ['sources', at('/sources'), 'Sources'],
  ['source', at(ledger), 'Ledger'],
  ['connections', at('/connections'), 'Connections'],
  ['deliveries', at('/deliveries'), 'Deliveries'],
  ['delivery', at(`/deliveries/${exampleDelivery().artifact_id}`), 'Delivery'],
] as const

const furtherPages = [
  ['report', at(`/reports/${exampleSource().source_id}/revenue`), 'Revenue'],
  ['metrics', at(`${ledger}/metrics`), 'Ledger'],
  ['versions', at(`${ledger}/versions`), 'Ledger'],
  ['settings', at(`${ledger}/settings`), 'Ledger'],
  ['source form', at('/sources/new'), 'New source'],
  ['changed source', at(`${ledger}/change`), /Ledger/],
  ['connection form', at('/connections/new'), 'New connection'],
  ['refused calls', at('/deliveries?tab=calls'), 'Deliveries'],
  ['apps', '/apps', 'Your apps'],
  ['choice of a sandbox connection', '/sandbox-connection', /./],
] as const

/**
 * The replies one after the other, in their order or the other way round: each part of a page is painted before the next one comes.
 */
function oneByOne(isReversed: boolean): { slowed: Replies; isWaiting: () => boolean } {
  const all = Object.entries(replies) as [string, (call: Call) => unknown][]
  let waiting = 0
  const slowed = all.map(([operation, reply], index) => [
    operation,
    async (call: Call) => {
      waiting++
      const place = operation === 'GET /console/session' ? 0 : isReversed ? all.length - index : index
      await sleep(place * betweenMs)
      waiting--
      return reply(call)
    },
  ])
  return { slowed: Object.fromEntries(slowed) as Replies, isWaiting: () => waiting > 0 }
}

/** A few animation frames. */
const betweenMs = 40

describe('Every page', () => {
  test.each([...simplePages, ...mainPages, ...furtherPages])(
    '(%s) does not shift while it loads',
    async (_name, path, title) => {
      for (const { width, height, isReversed } of [
        { ...sizes.desktop, isReversed: false },
        { ...sizes.phone, isReversed: true },
      ]) {
        const { slowed, isWaiting } = oneByOne(isReversed)
        const shown = await open(path, slowed, { viewport: { width, height } })
        const { page } = shown
        await heading(page, title).waitFor()
        await expect
          .poll(async () => isWaiting() || (await page.getByText('One moment').count()) > 0)
          .toBe(false)
        await painted(page)
        expect(await shown.moved(), `${width} px wide`).toEqual([])
        await shown[Symbol.asyncDispose]()
      }
    },
  )

  test.each(simplePages)('(%s) fits on a phone and is accessible', async (name, path, title) => {
    const { page } = await open(path, replies)
    await heading(page, title).waitFor()
    await expect.poll(() => page.getByText('One moment').count()).toBe(0)
    expect(await lookOver(page, `frame-${name}`)).toEqual([])
  })

  test.each([
    ['of 200 letters in one piece', 'W'.repeat(200)],
    [
      'of markup, and letters from right to left',
      '<b>Numera</b> {{company}} $t(ui.more) \u202Eשלום\u200B 🦊',
    ],
  ])('shows a name %s unchanged without breaking the layout', async (_name, name) => {
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => exampleSession({ name, companies: [{ ...ekeby, name }, norrsken] }),
      'GET /console/companies/{company_id}/sources': () => ({
        sources: [exampleSource({ name, system_kind: name })],
        next_cursor: null,
      }),
      'GET /console/companies/{company_id}/reports': () =>
        exampleReportList([
          exampleCard({ source_name: name, name, metric: name }),
          exampleCard({ source_id: 'another', source_name: `${name}2` }),
        ]),
    })
    await page.getByRole('rowheader').getByText(name).first().waitFor()
    expect(await lookOver(page, 'frame-hostile')).toEqual([])
    await page.getByRole('link', { name: 'Reports', exact: true }).click()
    await page.getByRole('combobox').waitFor()
    expect(await lookOver(page, 'frame-hostile-reports')).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(name.slice(0, 3))
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    expect(await lookOver(page, 'frame-hostile-search')).toEqual([])
  })
})
