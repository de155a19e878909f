/// <reference types="node" />
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { startChromium } from '../../../acceptance/chromium.ts'
import { type DocumentFacts, withFacts } from '../../../src/http/document-facts.ts'
import { pageHeadersOf } from '../../../src/http/page-headers.ts'
import { answerCall, type Call, type Replies } from './api-stub.ts'

/** Nothing listens there: the browser's requests are answered by the test. */
const origin = 'https://numera.test'

/** The moment at which every page is opened. */
const openedAt = '2026-11-20T10:00:00Z'

const webFolder = join(import.meta.dirname, '..', '..')

/** The pages as users get them, as `npm test` has built them. Gives each file's text by its path. */
async function readPages(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const built = join(webFolder, 'dist')
  for await (const name of glob('**/*.{html,js,css,svg}', { cwd: built })) {
    files.set(`/${name}`, await readFile(join(built, name), 'utf8'))
  }
  return files
}

/** The kit's own page, which is not one of the built ones, as `readPages` gives those. */
async function buildKit(): Promise<Map<string, string>> {
  const { output } = (await build({
    root: webFolder,
    configFile: false,
    logLevel: 'error',
    // The test runner's own `test` would take React's development build.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input: join(webFolder, 'src', 'testing', 'kit.html') },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source.toString()]),
  )
}

const contentTypes: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

/** What the frame asks on every page, where a test does not say otherwise. */
const frameReplies: Replies = { 'GET /console/companies': () => ({ companies: [] }) }

/** As the service sends a page: with what it may load and do. */
function documentHeaders(document: string): Record<string, string> {
  return { ...pageHeadersOf(document), 'content-type': 'text/html; charset=utf-8' }
}

/** A page in a browser of its own, and what it did. */
export interface OpenedPage extends AsyncDisposable {
  page: Page
  /** Those that the test has a reply for: what the frame asks besides may come at any moment. */
  calls: Call[]
  /** The bodies that the page sent to one operation. */
  sentTo(operation: Call['operation']): unknown[]
  /** What moved by itself, by its text, without the person having asked for it. */
  moved(): Promise<string[]>
  /** What no test may leave behind: thrown or logged errors, and calls without a reply. */
  complaints: string[]
}

interface OpenOptions extends BrowserContextOptions {
  /** What the service says in the document. */
  facts?: DocumentFacts
}

export interface Pages extends AsyncDisposable {
  /**
   * Opens an address of the pages. Its timers run with the time, and forward when a test says so (`page.clock`).
   *
   * @param path with its query
   */
  open(path: string, replies: Replies, options?: OpenOptions): Promise<OpenedPage>
}

/** Runs in a page, from its first moment on (Layout Instability API). */
function watchShifts(): void {
  const seen = globalThis as unknown as { moved: string[] }
  seen.moved = []
  new PerformanceObserver((list) => {
    const entries = list.getEntries() as unknown as {
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }[]
    for (const { sources } of entries.filter(({ hadRecentInput }) => !hadRecentInput)) {
      seen.moved.push(...sources.map(({ node }) => node?.textContent ?? ''))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The pages, or the kit, in a real browser, without a service behind them. */
export async function startPages(which: 'pages' | 'kit' = 'pages'): Promise<Pages> {
  const [files, chromium] = await Promise.all([which === 'kit' ? buildKit() : readPages(), startChromium()])

  async function open(
    path: string,
    replies: Replies,
    { facts = {}, ...options }: OpenOptions = {},
  ): Promise<OpenedPage> {
    const context = await chromium.browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Stockholm',
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(10_000)
    const calls: Call[] = []
    const complaints: string[] = []
    context.on('weberror', (error) => complaints.push(String(error.error())))
    context.on('console', (message) => {
      // An error from the API is shown by the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        complaints.push(message.text())
      }
    })
    await context.route('**/*', async (route) => {
      const url = new URL(route.request().url())
      if (url.origin !== origin) return route.fulfill({ contentType: 'text/html', body: 'Elsewhere' })
      if (url.pathname.startsWith('/console/')) {
        return answerCall(route, { ...frameReplies, ...replies }, (call) => {
          if (call.operation in replies) calls.push(call)
        }).catch((error) => void complaints.push(String(error)))
      }
      const file = files.get(url.pathname)
      if (file === undefined) {
        const index = files.get('/index.html')!
        return route.fulfill({ headers: documentHeaders(index), body: withFacts(index, facts) })
      }
      const type = url.pathname.split('.').at(-1)!
      if (type === 'html') return route.fulfill({ headers: documentHeaders(file), body: file })
      return route.fulfill({ contentType: contentTypes[type]!, body: file })
    })
    const page = await context.newPage()
    await page.clock.install({ time: openedAt })
    await context.addInitScript(watchShifts)
    // A limit of the browser's own would run with the time alone.
    await context.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const limit = new AbortController()
        setTimeout(() => limit.abort(new DOMException('It took too long.', 'TimeoutError')), ms)
        return limit.signal
      }
    })
    await page.goto(`${origin}${path}`)
    return {
      page,
      calls,
      complaints,
      moved: () => page.evaluate('moved'),
      sentTo: (operation) => calls.filter((call) => call.operation === operation).map(({ body }) => body),
      [Symbol.asyncDispose]: () => context.close(),
    }
  }

  return { open, [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose]() }
}
