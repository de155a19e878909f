/**
 * How long it takes in a real browser from choosing a filter on the page of the deliveries until its list is drawn, with a
 * million deliveries stored.
 *
 *   node bench/pages/deliveries-page.ts [deliveries]
 *
 * The browser draws without a graphics card, on the cores that the service and the database have too.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildApp } from '../../src/service/app.ts'
import { signInConsole } from '../../src/testing/console-client.ts'
import { freePort, serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { sayInShort } from '../in-short.ts'
import { startDeployment } from '../samples/deployment.ts'
import { fillLog, openLoggedCompany } from './million-deliveries.ts'
import { startBrowser } from './signed-in-browser.ts'

const [deliveries = 1_000_000] = process.argv.slice(2).map(Number)
const times = 7
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

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
 * Milliseconds from the change of a control until the list that it asks for has been painted.
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
    const look = () => {
      if (!isAnswered() || document.querySelector('[aria-busy]')?.ariaBusy !== 'false') return requestAnimationFrame(look)
      // After the frame: a task of its own.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - startedMs)
      requestAnimationFrame(() => port2.postMessage(0))
    }
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')
    set.call(control, '${value}')
    control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
    look()
  })`)

const chosen: [name: string, control: string, value: string][] = [
  ['source', 'Source', webShop],
  ['a source that is hardly used', 'Source', quiet],
  ['state parsed', 'State', 'parsed'],
  ['state queued', 'State', 'queued'],
  ['state unreadable', 'State', 'unreadable'],
  ['rows refused', 'State', 'refused'],
  ['webhooks', 'Channel', 'webhook'],
  ['the last 30 days', 'Received', '30d'],
  ['today', 'Received', 'today'],
  // Of which a quarter of a second is waited for that nothing more is typed.
  ['the beginning of a few keys', 'Key or delivery id', 'order-batch-4711'],
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
    const took: number[] = []
    for (let time = 0; time < times; time++) {
      await page.goto(`${origin}/companies/${company.companyId}/deliveries?range=all`)
      await page.locator('[aria-busy=false] tbody tr').first().waitFor()
      took.push(await timed(page, control, value))
    }
    took.sort((a, b) => a - b)
    const median = took[Math.floor(times / 2)]!
    if (control !== 'Key or delivery id') slowest = Math.max(slowest, median)
    print(`${name.padEnd(38)}${took.map((ms) => ms.toFixed(0).padStart(6)).join('')} ms`)
  }
  sayInShort(
    'deliveries: from a filter to its painted list, the slowest',
    Math.round(slowest),
    { atMost: 200 },
    ' ms',
  )
} finally {
  await stop(server)
  await rm(folder, { recursive: true, force: true })
}
