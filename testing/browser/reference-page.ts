import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The interactive reference in a browser, as a developer uses it. */
export interface ReferencePage {
  page: Page
  /** The dialog in which an operation is tried. */
  client: Locator
  /** The requests of any window to another host. */
  elsewhere: string[]
  /** The requests of the page to the console API. */
  ofSession: string[]
  open(): Promise<void>
  /** Opens "try it" of an operation, completes it by `fill`, sends it, and gives the call. */
  send(
    operation: { title: string; path: string },
    fill?: (client: Locator) => Promise<void>,
  ): Promise<{
    status: number
    body: Record<string, unknown>
    headers: Record<string, string>
  }>
  /** Types a credential. */
  fillIn(credential: string): Promise<void>
}

/** @param url of the service */
export const openReference = async (context: BrowserContext, url: string): Promise<ReferencePage> => {
  const page = await context.newPage()
  const elsewhere: string[] = []
  const ofSession: string[] = []
  context.on('request', (request) => {
    if (/^(?:https?|wss?):/.test(request.url()) && !request.url().startsWith(`${url}/`)) {
      elsewhere.push(request.url())
    }
  })
  page.on('request', (request) => {
    if (request.url().startsWith(`${url}/console/`)) ofSession.push(request.url())
  })
  const client = page.getByRole('dialog', { name: 'API Client' })
  return {
    page,
    client,
    elsewhere,
    ofSession,
    open: async () => {
      await page.goto(`${url}/docs/api`)
      await page.getByRole('heading', { level: 1, name: 'Numera API' }).waitFor()
    },
    send: async ({ title, path }, fill) => {
      const link = page.getByText(title, { exact: true }).first()
      await link.click()
      await page.getByRole('button', { name: new RegExp(`^Test Request.*${path}\\)$`) }).click()
      await fill?.(client)
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
      await client.getByRole('button', { name: /Send/ }).first().click()
      const answer = await answered
      const sent = answer.request()
      expect((await sent.allHeaders())['cookie']).toBeUndefined()
      return { status: answer.status(), body: await answer.json(), headers: await sent.allHeaders() }
    },
    fillIn: async (credential) => {
      await page.getByLabel('Bearer Token').first().fill(credential)
    },
  }
}
