import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Person } from '../../testing/process/console-client.ts'
import { startChromium } from '../../testing/browser/chromium.ts'
import { comeSignedIn } from '../../testing/browser/member-in-browser.ts'

/** A real browser, unpacked into a temporary folder. */
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

/** Sums layout shifts and records the largest paint, from the start of each page. */
const observe = `
  globalThis.observed = { shift: 0, shifts: [], paint: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // A shift after input is expected.
      if (entry.hadRecentInput) continue
      observed.shift += entry.value
      observed.shifts.push(entry.sources?.map(({ node }) => node?.className || node?.nodeName).join(' '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) observed.paint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
`

/** A new browser context with empty caches in which this person is signed in. */
export const openSignedIn = async (
  browser: Browser,
  url: string,
  person: Person,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(30_000)
  await comeSignedIn(context, url, person)
  await context.addInitScript(observe)
  return { context, page: await context.newPage() }
}

/** The results of {@link observe} on the open page. */
export const readObserved = (page: Page): Promise<{ shift: number; shifts: string[]; paint: number }> =>
  page.evaluate('observed')
