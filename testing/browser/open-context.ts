import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'

export interface OpenedContext extends AsyncDisposable {
  context: BrowserContext
  /** The errors that its pages logged or threw. An answer with an error is the page's to show, and is not among them. */
  complaints: string[]
  /** What its pages show, and which requests failed. */
  describe(): Promise<string[]>
}

const answerMsMax = 5_000
const charactersMax = 600

/** The address and the visible text. A page that hangs does not answer. */
async function describePage(page: Page): Promise<string> {
  const text = page.locator('body').innerText({ timeout: answerMsMax })
  const shown = await Promise.race([text, sleep(answerMsMax, 'the page does not answer')]).catch(String)
  return `${page.url()} shows: ${shown.slice(0, charactersMax).replaceAll(/\s+/g, ' ')}`
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
  context.setDefaultTimeout(30_000)
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  const failed: string[] = []
  context.on('requestfailed', (request) =>
    failed.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
  )
  context.on('response', (response) => {
    if (response.status() >= 400)
      failed.push(`${response.request().method()} ${response.url()}: ${response.status()}`)
  })
  const describe = async (): Promise<string[]> => [
    ...(await Promise.all(context.pages().map(describePage))),
    ...failed,
  ]
  return { context, complaints, describe, [Symbol.asyncDispose]: () => context.close() }
}

/** Closes what a test opened. Fails with its complaints and, if the test failed, with what its pages showed. */
export async function closeAfterTest(
  { result }: Pick<TestContext['task'], 'result'>,
  opened: readonly Omit<OpenedContext, 'context'>[],
): Promise<void> {
  const shown = result?.state === 'fail' ? await Promise.all(opened.map((each) => each.describe())) : []
  await Promise.all(opened.map((each) => each[Symbol.asyncDispose]()))
  expect([...shown.flat(), ...opened.flatMap(({ complaints }) => complaints)]).toEqual([])
}
