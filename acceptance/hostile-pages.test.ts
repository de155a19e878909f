import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type App, authorization, registerApp } from '../testing/process/oauth-app.ts'
import { type AppScene, startAppScene } from './app-scene.ts'
import { approve, type ConsoleClient, createConsoleClient } from '../testing/process/console-client.ts'
import { advance } from '../testing/process/call.ts'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { owner } from '../testing/process/shop.ts'

// What a page of an attacker can do in the browser of a member who is signed in.

let scene: AppScene
let browser: Browser
let context: BrowserContext
let page: Page
let app: App
/** The member's own, beside the pages. */
let member: ConsoleClient
/** The attacker's site: another one to a browser, which takes `localhost` and `127.0.0.1` for two. */
let server: Server
let evil: string
/** What its page holds. */
let html: string
beforeAll(async () => {
  ;[scene, browser] = await Promise.all([startAppScene(), shareBrowser()])
  app = await registerApp(scene.url, scene.callback.redirectUri)
  ;({ context } = await openContext(browser))
  server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  evil = `http://localhost:${(server.address() as AddressInfo).port}`
  const { url } = scene
  const begun = createConsoleClient(url)
  const { body: order } = await begun.post('/console/sign-in')
  await approve(url, order.presentation.open_url, owner)
  const { headers } = await begun.post(`/console/sign-in/${order.order_id}/collect`)
  const [cookie] = headers.getSetCookie()
  const [name, value] = cookie!.split(';', 1)[0]!.split('=') as [string, string]
  const sameSite = /samesite=strict/i.test(cookie!) ? 'Strict' : 'Lax'
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite }])
  member = begun
}, 120_000)
beforeEach(async () => {
  await page?.close()
  page = await context.newPage()
})
afterAll(async () => {
  server?.close()
  await scene?.[Symbol.asyncDispose]()
})

const consentShown = (name = 'Ledger Insight') => page.getByRole('heading', { name: new RegExp(name) })
const allowed = async (): Promise<unknown[]> => (await member.get('/console/apps')).body.apps

test('Consent click-jacking: the consent shows in a window of its own, and in no frame', async () => {
  const target = authorization(scene.url, app).url.href
  await page.goto(target)
  await consentShown().waitFor()

  html = `<!doctype html><title>Win</title><iframe name="under" src="${target.replaceAll('&', '&amp;')}"></iframe>`
  const refused = page.waitForEvent('requestfailed', (request) => request.url() === target)
  await page.goto(`${evil}/`)
  expect((await refused).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
  // What the browser shows in place of what it refused to frame.
  await expect.poll(() => page.frame('under')?.url()).toBe('chrome-error://chromewebdata/')
})

test('CSRF: neither a form nor a script of another site decides anything for the member', async () => {
  const { search } = authorization(scene.url, app).url
  const choice = { query: search, permissions: ['metrics.read'], companies: { every: true } }
  const sign = `${scene.url}/console/authorize/sign`
  const deny = `${scene.url}/console/authorize/deny`

  html = '<!doctype html><title>Win</title>'
  await page.goto(`${evil}/`)
  const script = await page.evaluate(
    async ([addresses, body]) => {
      const outcomes: string[] = []
      for (const address of addresses!) {
        for (const type of ['application/json', 'text/plain']) {
          const sent = fetch(address, {
            method: 'POST',
            credentials: 'include',
            headers: { 'content-type': type },
            body: body as string,
          })
          // oxlint-disable-next-line promise/prefer-await-to-then -- what is refused is what is looked for
          outcomes.push(await sent.then(() => 'read').catch(() => 'refused'))
        }
      }
      return outcomes
    },
    [[sign, deny], JSON.stringify(choice)] as const,
  )
  expect(script).toEqual(['refused', 'refused', 'refused', 'refused'])

  for (const address of [sign, deny]) {
    html = `<!doctype html><form method="post" enctype="text/plain" action="${address}">
      <input name='{"query":"${search}","x":"' value='"}'></form><script>document.forms[0].submit()</script>`
    const answered = page.waitForResponse(address)
    await page.goto(`${evil}/`)
    expect([401, 403, 415]).toContain((await answered).status())
  }
  expect(await allowed()).toEqual([])
})

test('Hostile client names: markup in a name is text on the page', async () => {
  await advance(scene.url, 60)
  const name = '<img src=x onerror="document.title=1"> {{7*7}} </title>'
  const named = await registerApp(scene.url, scene.callback.redirectUri, name)
  await page.goto(authorization(scene.url, named).url.href)
  await page.getByText(name, { exact: false }).first().waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(await page.title()).not.toBe('1')
})
