/**
 * The reports in a real browser, on the demo's data and on two years by day of eight countries and more: from a click to the
 * chart, the largest paint, what moves, and scrolling.
 *
 *   node bench/pages/reports.ts [times]
 *
 * The browser draws without a graphics card, on the cores that the service has too.
 */
import type { Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { ingest } from '../../acceptance/call.ts'
import { startService } from '../../acceptance/service.ts'
import { demoOwner } from '../../src/demo/demo-companies.ts'
import { sayInShort } from '../in-short.ts'
import { openSignedIn, seenOf, startBrowser } from './signed-in-browser.ts'

const [times = 7] = process.argv.slice(2).map(Number)
const print = (line: string): unknown => process.stdout.write(`${line}\n`)
const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
const tell = (name: string, all: number[]): void =>
  void print(`${name.padEnd(58)}${all.map((ms) => ms.toFixed(0).padStart(6)).join('')} ms`)

await using service = await startService({ words: ['demo'], isDatabaseNew: true })
while (!service.output().includes('Stop with Ctrl-C')) await sleep(100)
const { url } = service

// Two years by day of ten countries: eight series and all others.
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
if (pushed.status >= 300) throw new Error(`the rows were not taken: ${pushed.status} ${pushed.text}`)

await using chromium = await startBrowser()
const open = () => openSignedIn(chromium.browser, url, demoOwner)

const first = await open()
const session = await (await first.context.request.get(`${url}/console/session`)).json()
const shop = session.companies.find(({ name }: { name: string }) => name.startsWith('Ekeby'))
const list = `${url}/companies/${shop.company_id}/reports`
const { reports } = await (
  await first.context.request.get(`${url}/console/companies/${shop.company_id}/reports`)
).json()
const sourceNamed = (name: string): { source_id: string; metric: string } =>
  reports.find(
    ({ source_name, metric }: Record<string, string>) => source_name === name && metric === 'revenue',
  )
const [steps, webShop] = [sourceNamed('First steps'), sourceNamed('Web shop')]
const longReport = `${list}/${steps.source_id}/revenue`
const card = `a[href*="${webShop.source_id}/revenue"]`

/** Milliseconds from what `begin` does to the end of the frame that paints `selector`. */
const timed = (page: Page, begin: string, selector: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const startedMs = performance.now()
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look)
      // This frame paints it, and a task of its own comes after the frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - startedMs)
      port2.postMessage(0)
    }
    ${begin}
    requestAnimationFrame(look)
  })`)
/** Another address of the page, which no press excuses from moving things: the router hears of it by itself. */
const goTo = (address: string): string => `history.pushState({}, '', ${JSON.stringify(address)})`
const chart = '[role=slider]:not([aria-valuetext=""])'
const click = `document.querySelector(${JSON.stringify(card)}).click()`

// Every figure is of samples that are there.
for (let tries = 0; ; tries++) {
  const { body } = await first.context.request
    .get(`${url}/console/companies/${shop.company_id}/sources/${steps.source_id}/reports/revenue?by=country`)
    .then(async (answer) => ({ body: await answer.json() }))
  if (body.series?.length === 8 && body.other !== null) break
  if (tries > 600) throw new Error('the rows were not parsed')
  await sleep(100)
}
await first.context.close()

print(`${times} times each; the median counts\n`)

const unknown: number[] = []
const known: number[] = []
let shift = 0
const noteShift = async (page: Page, where: string): Promise<void> => {
  const seen = await seenOf(page)
  shift = Math.max(shift, seen.shift)
  if (seen.shift > 0) print(`moved at ${where}: ${seen.shift.toFixed(4)} (${seen.shifts.join('; ')})`)
}
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  await page.goto(list)
  await page.locator(card).waitFor()
  await page.waitForLoadState('networkidle')
  await noteShift(page, 'the list')
  unknown.push(await timed(page, click, chart))
  await page.waitForLoadState('networkidle')
  await page.goBack()
  await page.locator(card).hover()
  await page.waitForLoadState('networkidle')
  known.push(await timed(page, click, chart))
  await page.waitForLoadState('networkidle')
  await noteShift(page, 'a report')
  await context.close()
}
tell('click to chart, script and data not known', unknown)
tell('click to chart, both known', known)

const paints: number[] = []
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(list)
  await page.locator(card).waitFor()
  await page.waitForLoadState('networkidle')
  await sleep(1_000)
  paints.push((await seenOf(page)).paint)
  await noteShift(page, 'the list, slowed')
  await context.close()
}
tell('largest paint of the list, processor 4 times slowed', paints)

const rangeOf = (dayCount: number): string =>
  `${longReport}?grain=day&by=country&from=${dayAt(dayCount - 1)}&to=${dayAt(0)}&year=no`
const tableOf = (dayCount: number): string => `table[aria-rowcount="${dayCount + 1}"]`
const ready: number[] = []
const frames: number[] = []
for (let time = 0; time < times; time++) {
  const { context, page } = await open()
  await page.goto(`${longReport}?grain=month`)
  await page.locator(chart).waitFor()
  await page.waitForLoadState('networkidle')
  ready.push(await timed(page, goTo(rangeOf(days)), tableOf(days)))
  await page.waitForLoadState('networkidle')
  frames.push(await longestFrame(page))
  await page.goto(rangeOf(30))
  await page.locator(tableOf(30)).waitFor()
  for (const more of [60, 90, 30]) {
    await page.evaluate(goTo(rangeOf(more)))
    await page.locator(tableOf(more)).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await noteShift(page, 'a report of other days')
  await context.close()
}
tell('two years by day and eight countries: chart and table', ready)
tell('the longest frame while their table is scrolled', frames)
print(`moved, at most: ${shift.toFixed(4)}\n`)

sayInShort('reports: click to chart, data known', median(known), { atMost: 50 }, ' ms')
sayInShort('reports: click to chart, data not known', median(unknown), { atMost: 300 }, ' ms')
sayInShort('reports: largest paint, 4 times slowed', median(paints) / 1_000, { atMost: 1.2 }, ' s')
sayInShort('reports: layout shift', shift, { atMost: 0 })
sayInShort('reports: 731 days × 8 labels, chart and table ready', median(ready), { atMost: 400 }, ' ms')
sayInShort('reports: 731 days × 8 labels, longest frame of scrolling', median(frames), { atMost: 50 }, ' ms')

/** The longest time between two frames while the wheel goes down the table. */
async function longestFrame(page: Page): Promise<number> {
  await page.mouse.move(700, 600)
  await page.evaluate(`
    globalThis.longest = 0
    let before = performance.now()
    const note = (now) => {
      longest = Math.max(longest, now - before)
      before = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame((now) => { before = now; note(now) })
  `)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 300)
    await sleep(16)
  }
  return page.evaluate('longest')
}
