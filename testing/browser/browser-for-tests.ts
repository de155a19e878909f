import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterEach, beforeAll } from 'vitest'
import { shareBrowser } from './chromium.ts'
import { closeAfterTest, openContext, type OpenedContext } from './open-context.ts'

/** Nothing listens at this address: the test answers the browser's requests. */
export const origin = 'https://numera.test'

export interface OpenedPage extends Omit<OpenedContext, 'context'> {
  page: Page
  /** The texts that moved without an action of the user (Layout Instability API). */
  moved(): Promise<string[]>
  /** Errors that the page logged or threw, and requests that the test has no answer for. */
  complaints: string[]
}

export interface OpenOptions extends BrowserContextOptions {
  /** Stops the page's clock at this moment; it then runs with the time, and forward by `page.clock`. */
  openedAt?: string
}

/** Answers a request of the page. An error that it throws is a complaint. */
export type Respond = (route: Route, url: URL) => Promise<void>

/** Runs in the page from its first moment on. */
const watchShifts = `
  globalThis.moved = []
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput))
      moved.push(...sources.map(({ node }) => node?.textContent ?? ''))
  }).observe({ type: 'layout-shift', buffered: true })`

/** The browser's own limit does not follow the page's clock; a timer does. */
const limitByTimer = `
  AbortSignal.timeout = (ms) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new DOMException('It took too long.', 'TimeoutError')), ms)
    return limit.signal
  }`

/**
 * Lets the tests of a file open pages in the worker's browser. A test fails if one of its pages has a complaint.
 *
 * @returns opens a path of `origin`
 */
export function startBrowserForTests() {
  let browser: Browser
  const opened: OpenedPage[] = []
  beforeAll(async () => {
    browser = await shareBrowser()
  }, 60_000)
  afterEach(({ task }) => closeAfterTest(task, opened.splice(0)))

  return async (path: string, respond: Respond, options: OpenOptions = {}): Promise<OpenedPage> => {
    const { openedAt, ...contextOptions } = options
    const { context, ...own } = await openContext(browser, contextOptions)
    let isClosing = false
    await context.route('**/*', (route) =>
      respond(route, new URL(route.request().url())).catch((error) => {
        // A request that closing the page interrupted has no answer.
        if (!isClosing) own.complaints.push(String(error))
      }),
    )
    await context.addInitScript(watchShifts)
    const page = await context.newPage()
    if (openedAt !== undefined) {
      await page.clock.install({ time: openedAt })
      await context.addInitScript(limitByTimer)
    }
    const result: OpenedPage = {
      ...own,
      page,
      moved: () => page.evaluate('moved'),
      [Symbol.asyncDispose]: () => {
        isClosing = true
        return context.close()
      },
    }
    opened.push(result)
    await page.goto(`${origin}${path}`)
    return result
  }
}
