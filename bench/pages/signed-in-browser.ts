import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { approve, type Person } from '../../acceptance/browser.ts'
import { startChromium } from '../../acceptance/chromium.ts'

/** A real browser, unpacked into a folder that goes with it. */
export const startBrowser = async (): Promise<{ browser: Browser } & AsyncDisposable> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-bench-browser-'))
  const chromium = await startChromium(folder)
  return {
    browser: chromium.browser,
    [Symbol.asyncDispose]: async () => {
      await chromium[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sums up what moved, and keeps the last largest paint, from the first moment of each page on. */
const observe = `
  globalThis.seen = { shift: 0, shifts: [], paint: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // What somebody asked for may move.
      if (entry.hadRecentInput) continue
      seen.shift += entry.value
      seen.shifts.push(entry.sources?.map(({ node }) => node?.className || node?.nodeName).join(' '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.paint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
`

/** A browser of its own in which this person is signed in, with nothing in its caches. */
export const openSignedIn = async (
  browser: Browser,
  url: string,
  person: Person,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(30_000)
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' }
  const order = await (await context.request.post(`${url}/console/sign-in`, { headers, data: {} })).json()
  await approve(url, order.presentation.open_url, person)
  const collected = await context.request.post(`${url}/console/sign-in/${order.order_id}/collect`, {
    headers,
    data: {},
  })
  if (!collected.ok()) throw new Error(`nobody was signed in: ${collected.status()}`)
  await context.addInitScript(observe)
  return { context, page: await context.newPage() }
}

/** What {@link observe} has seen of the page that is open. */
export const seenOf = (page: Page): Promise<{ shift: number; shifts: string[]; paint: number }> =>
  page.evaluate('seen')
