/**
 * The reports in a real browser, with the demo's data and with two years by day of ten countries: from a click to the
 * chart, the largest paint, layout shifts, and scrolling.
 *
 *   node bench/pages/reports.ts [times]
 *
 * The browser renders without a graphics card, on the same cores as the service.
 */
import type { Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { ingest } from '../../testing/process/call.ts'
import { startService } from '../../testing/process/start-service.ts'
import { demoOwner } from '../../demo/data/demo-companies.ts'
import { median, print, printTarget } from '../figures.ts'
import { openSignedIn, readObserved, startBrowser } from './signed-in-browser.ts'

const [times = 7] = process.argv.slice(2).map(Number)
const printTimes = (name: string, all: number[]): void =>
  void print(`${name.padEnd(58)}${all.map((ms) => ms.toFixed(0).padStart(6)).join('')} ms`)

await using service = await startService({ words: ['demo'], isDatabaseNew: true })
while (!service.output().includes('Press Ctrl-C to stop')) await sleep(100)
const { url } = service

// Two years by day of ten countries: eight series and the others.
const days = 731
const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'GB', 'NL', 'PL', 'FR', 'ES']
const dayMs = 86_400_000
const dayAt = (back: number): string => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10)
const credential = /nsk_(?!demo)\w+/.exec(service.output())![0]
const rows = Array.from({ length: days }, (_day, back) =>
  countries.map((country, place) => ({
    at: `${dayAt(back)}T00:30:00Z`,
    amount: `${((back * 37 + place * 101) % 900) + 9_000 - place * 700}.${10 + place}`,
    country,
  })),
).flat()
const pushed = await ingest(url, credential, { idempotency_key: 'bench', shape_version: 1, payload: rows })
if (pushed.status >= 300) throw new Error(`the rows were not accepted: ${pushed.status} ${pushed.text}`)

await using chromium = await startBrowser()
const open = () => openSignedIn(chromium.browser, url, demoOwner)

const first = await open()
const session = await (await first.context.request.get(`${url}/console/session`)).json()
const shop = session.companies.find(({ name }: { name: string }) => name.startsWith('Ekeby'))
const list = `${url}/companies/${shop.company_id}/reports`
const { reports } = await (
  await first.context.request.get(`${url}/console/companies/${shop.company_id}/reports`)
).json()
const findReport = (name: string): { source_id: string; metric: string } =>
  reports.find(
    ({ source_name, metric }: Record<string, string>) => source_name === name && metric === 'revenue',
  )
const [steps, webShop] = [findReport('First steps'), findReport('Web shop')]
const longReport = `${list}/${steps.source_id}/revenue`
const card = `a[href*="${webShop.source_id}/revenue"]`

/** Milliseconds from running `begin` to the end of the frame that paints `selector`. */
const timeUntil = (page: Page, begin: string, selector: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const startedMs = performance.now()
    const poll = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(poll)
      // This frame paints it; a task of its own runs after the frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - startedMs)
      port2.postMessage(0)
    }
    ${begin}
    requestAnimationFrame(poll)
  })`)
/** Navigates without input, which would excuse layout shifts. The router notices the change of the history. */
const goTo = (address: string): string => `history.pushState({}, '', ${JSON.stringify(address)})`
const chart = '[role=slider]:not([aria-valuetext=""])'
const click = `document.querySelector(${JSON.stringify(card)}).click()`

// Waits until all rows are parsed.
for (let tries = 0; ; tries++) {
  const { body } = await first.context.request
    .get(`${url}/console/companies/${shop.company_id}/sources/${steps.source_id}/reports/revenue?by=country`)
    .then(async (answer) => ({ body: await answer.json() }))
  if (body.series?.length === 8 && body.other !== null) break
  if (tries > 600) throw new Error('the rows were not parsed')
  await sleep(100)
}
await first.context.close()

print(`${times} times each; targets are for medians\n`)

const unknown: number[] = []
const known: number[] = []
let shift = 0
const recordShift = async (page: Page, where: string): Promise<void> => {
  const observed = await readObserved(page)
  shift = Math.max(shift, observed.shift)
  if (observed.shift > 0)
    print(`shift at ${where}: ${observed.shift.toFixed(4)} (${observed.shifts.join('; ')})`)
}
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  await page.goto(list)
  await page.locator(card).waitFor()
  await page.waitForLoadState('networkidle')
  await recordShift(page, 'the list')
  unknown.push(await timeUntil(page, click, chart))
  await page.waitForLoadState('networkidle')
  await page.goBack()
  await page.locator(card).hover()
  await page.waitForLoadState('networkidle')
  known.push(await timeUntil(page, click, chart))
  await page.waitForLoadState('networkidle')
  await recordShift(page, 'a report')
  await context.close()
}
printTimes('click to chart, script and data not cached', unknown)
printTimes('click to chart, both cached', known)

const paints: number[] = []
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(list)
  await page.locator(card).waitFor()
  await page.waitForLoadState('networkidle')
  await sleep(1_000)
  paints.push((await readObserved(page)).paint)
  await recordShift(page, 'the list, slower')
  await context.close()
}
printTimes('largest paint of the list, processor 4 times slower', paints)

const toRange = (dayCount: number): string =>
  `${longReport}?grain=day&by=country&from=${dayAt(dayCount - 1)}&to=${dayAt(0)}&year=no`
const toTable = (dayCount: number): string => `table[aria-rowcount="${dayCount + 1}"]`
const ready: number[] = []
const frames: number[] = []
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  await page.goto(`${longReport}?grain=month`)
  await page.locator(chart).waitFor()
  await page.waitForLoadState('networkidle')
  ready.push(await timeUntil(page, goTo(toRange(days)), toTable(days)))
  await page.waitForLoadState('networkidle')
  frames.push(await longestFrame(page))
  await page.goto(toRange(30))
  await page.locator(toTable(30)).waitFor()
  for (const more of [60, 90, 30]) {
    await page.evaluate(goTo(toRange(more)))
    await page.locator(toTable(more)).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await recordShift(page, 'a report of other days')
  await context.close()
}
printTimes('two years by day and eight countries: chart and table', ready)
printTimes('the longest frame while their table is scrolled', frames)
print(`layout shift, at most: ${shift.toFixed(4)}\n`)

printTarget('reports: click to chart, data cached', median(known), { atMost: 50 }, ' ms')
printTarget('reports: click to chart, data not cached', median(unknown), { atMost: 300 }, ' ms')
printTarget('reports: largest paint, 4 times slower', median(paints) / 1_000, { atMost: 1.2 }, ' s')
printTarget('reports: layout shift', shift, { atMost: 0 })
printTarget('reports: 731 days × 8 labels, chart and table ready', median(ready), { atMost: 400 }, ' ms')
printTarget('reports: 731 days × 8 labels, longest frame of scrolling', median(frames), { atMost: 50 }, ' ms')

/** The longest time between two frames while the mouse wheel scrolls down the table. */
async function longestFrame(page: Page): Promise<number> {
  await page.mouse.move(700, 600)
  await page.evaluate(`
    globalThis.longest = 0
    let before = performance.now()
    const record = (now) => {
      longest = Math.max(longest, now - before)
      before = now
      requestAnimationFrame(record)
    }
    requestAnimationFrame((now) => { before = now; record(now) })
  `)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 300)
    await sleep(16)
  }
  return page.evaluate('longest')
}
