import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

export interface OpenedContext {
  context: BrowserContext
  /** The errors that its pages logged or threw. An answer with an error is the page's to show, and is not among them. */
  complaints: string[]
}

/** Opens a browser window of its own: in English, in Swedish time, without animations. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<OpenedContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(15_000)
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  return { context, complaints }
}
