/**
 * The time in a real browser from choosing a filter on the deliveries page until its list is painted, with a million
 * deliveries stored.
 *
 *   node bench/pages/deliveries-page.ts [deliveries]
 *
 * The browser renders without a graphics card, on the same cores as the service and the database.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildApp } from '../../src/app/app.ts'
import { signInConsole } from '../../testing/in-process/console-client.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { print, printTarget } from '../figures.ts'
import { startDeployment } from '../samples/deployment.ts'
import { fillLog, openLoggedCompany } from './million-deliveries.ts'
import { startBrowser } from './signed-in-browser.ts'

const [deliveries = 1_000_000] = process.argv.slice(2).map(Number)
const times = 7

await using deployment = await startDeployment()
const { pool, context, url } = deployment
const company = await openLoggedCompany(context)
await fillLog(pool, company, deliveries)
const app = await buildApp(context)
const { cookies } = await signInConsole(app, context, company.owner)
await app.close()
const [webShop, , , , , quiet] = company.sourceIds as [string, string, string, string, string, string]

const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const server = await start(serveArguments, port, {
  ...serveEnvironment(url, folder, port),
  NUMERA_BASE_URL: origin,
})

/**
 * Milliseconds from the change of a control until the resulting list is painted.
 *
 * @param control its label
 */
const timed = (page: Page, control: string, value: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const control = document.querySelector('[aria-label="${control}"]')
    const list = document.querySelector('[aria-busy]')
    const startedMs = performance.now()
    const isAnswered = () => performance.getEntriesByType('resource').some((entry) =>
      /\\/deliveries\\?/.test(entry.name) && entry.startTime >= startedMs && entry.responseEnd > 0)
    const poll = () => {
      if (!isAnswered() || document.querySelector('[aria-busy]')?.ariaBusy !== 'false') return requestAnimationFrame(poll)
      // A task of its own runs after the frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - startedMs)
      requestAnimationFrame(() => port2.postMessage(0))
    }
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')
    set.call(control, '${value}')
    control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
    poll()
  })`)

const chosen: [name: string, control: string, value: string][] = [
  ['source', 'Source', webShop],
  ['a source with few deliveries', 'Source', quiet],
  ['state parsed', 'State', 'parsed'],
  ['state queued', 'State', 'queued'],
  ['state unreadable', 'State', 'unreadable'],
  ['rows refused', 'State', 'refused'],
  ['webhooks', 'Channel', 'webhook'],
  ['the last 30 days', 'Received', '30d'],
  ['today', 'Received', 'today'],
  // Includes the quarter of a second in which the page waits for more typing.
  ['a prefix of a few keys', 'Key or delivery id', 'order-batch-4711'],
]

try {
  await using chromium = await startBrowser()
  const browserContext = await chromium.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
  })
  browserContext.setDefaultTimeout(60_000)
  await browserContext.addCookies([
    { name: 'numera_session', value: cookies.get('numera_session')!, url: origin },
  ])
  const page = await browserContext.newPage()
  print(`${deliveries} deliveries; from the change of a filter to its painted list, ${times} times each\n`)
  let slowest = 0
  for (const [name, control, value] of chosen) {
    const durationsMs: number[] = []
    for (let time = 0; time < times; time++) {
      await page.goto(`${origin}/companies/${company.companyId}/deliveries?range=all`)
      await page.locator('[aria-busy=false] tbody tr').first().waitFor()
      durationsMs.push(await timed(page, control, value))
    }
    durationsMs.sort((a, b) => a - b)
    const median = durationsMs[Math.floor(times / 2)]!
    if (control !== 'Key or delivery id') slowest = Math.max(slowest, median)
    print(`${name.padEnd(38)}${durationsMs.map((ms) => ms.toFixed(0).padStart(6)).join('')} ms`)
  }
  printTarget(
    'deliveries: from a filter to its painted list, the slowest',
    Math.round(slowest),
    { atMost: 200 },
    ' ms',
  )
} finally {
  await stop(server)
  await rm(folder, { recursive: true, force: true })
}
