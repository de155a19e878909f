import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type App, authorization, registerApp, requestRegistration } from '../testing/process/oauth-app.ts'
import { type AppScene, startAppScene } from './app-scene.ts'
import {
  approve,
  type ConsoleClient,
  createConsoleClient,
  type Person,
  signIn,
} from '../testing/process/console-client.ts'
import { advance, type Answer, call, errorOf } from '../testing/process/call.ts'
import { allowApp, openConsent } from '../testing/process/consent.ts'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { owner } from '../testing/process/shop.ts'

// Attacks on a member's consent, by the threats of docs/security.md.

const redirectUri = 'https://app.example.com/callback'
const other: Person = { personalNumber: '198112189876', name: 'Annan Annansson' }
const everything = { permissions: ['metrics.read'], companies: { every: true } }

let scene: AppScene
let url: string
let browser: Browser
let context: BrowserContext
let page: Page
let app: App
let attacker: App
/** The session of `page` without a browser. */
let member: ConsoleClient
/** The attacker's site. To a browser, `localhost` and `127.0.0.1` are two sites. */
let server: Server
let attackerSite: string
/** The page of that site. */
let html: string
beforeAll(async () => {
  ;[scene, browser] = await Promise.all([
    startAppScene({ NUMERA_OAUTH_RATE_PER_MINUTE: '100000', NUMERA_OAUTH_RATE_BURST: '100000' }),
    shareBrowser(),
  ])
  url = scene.url
  app = await registerApp(url, scene.callback.redirectUri)
  attacker = await registerApp(url, 'https://evil.example/callback', 'Ledger lnsight')
  ;({ context } = await openContext(browser))
  server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  attackerSite = `http://localhost:${(server.address() as AddressInfo).port}`
  const begun = createConsoleClient(url)
  const { body: order } = await begun.post('/console/sign-in')
  await approve(url, order.presentation.open_url, owner)
  const { headers } = await begun.post(`/console/sign-in/${order.order_id}/collect`)
  const [cookie] = headers.getSetCookie()
  const [name, value] = cookie!.split(';', 1)[0]!.split('=') as [string, string]
  const sameSite = /samesite=strict/i.test(cookie!) ? 'Strict' : 'Lax'
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite }])
  member = begun
})
beforeEach(async () => {
  await page?.close()
  page = await context.newPage()
})
afterAll(async () => {
  server?.close()
  await scene?.[Symbol.asyncDispose]()
})

const visit = (target: URL): Promise<Answer> => call(target.href)
const consentShown = (name = 'Ledger Insight') => page.getByRole('heading', { name: new RegExp(name) })
const allowed = async (): Promise<unknown[]> => (await member.get('/console/apps')).body.apps
const registerStatus = async (fields: object): Promise<string> => {
  await advance(url, 21)
  const { status, body } = await requestRegistration(url, fields)
  return `${status} ${body?.error}`
}

describe('Consent click-jacking', () => {
  test('the consent opens in a window of its own, and in no frame', async () => {
    const target = authorization(url, app).url.href
    await page.goto(target)
    await consentShown().waitFor()

    html = `<!doctype html><title>Win</title><iframe name="under" src="${target.replaceAll('&', '&amp;')}"></iframe>`
    const refused = page.waitForEvent('requestfailed', (request) => request.url() === target)
    await page.goto(`${attackerSite}/`)
    expect((await refused).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
    // The browser's page in place of the refused frame.
    await expect.poll(() => page.frame('under')?.url()).toBe('chrome-error://chromewebdata/')
  })

  test('no page of a consent may be framed, run foreign scripts, or send a referrer', async () => {
    const pages = [
      await visit(authorization(url, app).url),
      await visit(authorization(url, app, { redirect_uri: attacker.redirectUri }).url),
    ]
    expect(pages.map(({ status }) => status)).toEqual([200, 400])
    for (const { headers } of pages) {
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*(unsafe-inline|\*|https?:)/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('CSRF', () => {
  test('neither a form nor a script of another site decides anything for the member', async () => {
    const before = await allowed()
    const { search } = authorization(url, app).url
    const choice = { query: search, ...everything }
    const sign = `${url}/console/authorize/sign`
    const deny = `${url}/console/authorize/deny`

    html = '<!doctype html><title>Win</title>'
    await page.goto(`${attackerSite}/`)
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
      await page.goto(`${attackerSite}/`)
      expect([401, 403, 415]).toContain((await answered).status())
    }
    expect(await allowed()).toEqual(before)
  })

  test('nothing is decided without the CSRF token of that session', async () => {
    const request = authorization(url, attacker)
    const mine = await signIn(url, owner)
    const consent = await openConsent(request.url, mine)
    const { csrf_token: foreign } = (await (await signIn(url, other)).get('/console/session')).body
    const { csrf_token: earlier } = (await member.get('/console/session')).body
    for (const token of [undefined, '', 'x', foreign, earlier]) {
      const headers: Record<string, string> = token === undefined ? {} : { 'x-csrf-token': token }
      for (const [step, body] of [
        ['sign', everything],
        ['deny', {}],
      ] as const) {
        expect(errorOf(await consent.post(step, body, headers))).toEqual({
          status: 403,
          code: 'permission_denied',
        })
      }
    }
    expect((await consent.post('sign', everything)).body.state).toBe('signing')
  })

  test('nothing is decided from another site, even with the token', async () => {
    const { csrf_token } = (await member.get('/console/session')).body
    const consent = await openConsent(authorization(url, attacker).url, member)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await consent.post('sign', everything, { 'x-csrf-token': csrf_token, ...headers })
      expect(answer.status).toBe(403)
    }
  })

  test('access is not ended from another site, nor without the token', async () => {
    await allowApp(url, authorization(url, app).url, owner)
    const { body } = await member.get('/console/apps')
    const end = `/console/apps/${body.apps[0].connection_id}/end`
    expect((await member.post(end, {}, {})).status).toBe(403)
    const { csrf_token } = (await member.get('/console/session')).body
    const headers = { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'cross-site' }
    expect((await member.post(end, {}, headers)).status).toBe(403)
    expect((await member.get('/console/apps')).body.apps[0].state).toBe('active')
  })

  test('opening the address allows nothing', async () => {
    const { url: target } = authorization(url, attacker)
    for (let count = 0; count < 3; count++) {
      const answer = await member.get(`${target.pathname}${target.search}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    }
  })
})

describe('Login swapping between consent and signature', () => {
  test('another person cannot sign a member’s consent', async () => {
    const consent = await openConsent(authorization(url, attacker).url, member)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, other)
    const { body } = await consent.post(`sign/${order.order_id}/collect`)
    expect(body.state).toBe('failed')
    expect(body.location).toBeUndefined()
    const { apps } = (await member.get('/console/apps')).body
    expect(apps.map(({ client_id }: { client_id: string }) => client_id)).not.toContain(attacker.clientId)
  })

  test('another session cannot collect a signature', async () => {
    const request = authorization(url, attacker)
    const consent = await openConsent(request.url, member)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, owner)
    const theirs = await openConsent(request.url, await signIn(url, other))
    expect((await theirs.post(`sign/${order.order_id}/collect`)).status).toBe(404)
  })

  test('a signature for one app gives no code to another, not even one at the same address', async () => {
    await advance(url, 21)
    const neighbour = await registerApp(url, redirectUri)
    const fresh = await signIn(url, owner)
    const consent = await openConsent(authorization(url, attacker).url, fresh)
    const { body: order } = await consent.post('sign', everything)
    await approve(url, order.presentation.open_url, owner)
    for (const other of [app, neighbour]) {
      const swapped = await openConsent(authorization(url, other).url, fresh)
      expect((await swapped.post(`sign/${order.order_id}/collect`)).status).toBe(404)
    }
    const next = await openConsent(authorization(url, neighbour).url, fresh)
    const { body: second } = await next.post('sign', everything)
    await approve(url, second.presentation.open_url, owner)
    const swapped = await openConsent(authorization(url, app).url, fresh)
    expect((await swapped.post(`sign/${second.order_id}/collect`)).status).toBe(404)
  })
})

describe('Hostile client names', () => {
  test.each([
    ['a right-to-left override', 'Bank\u202egnik'],
    ['an isolate', '\u2067Bank\u2069'],
    ['a zero-width space', 'Ba\u200bnk'],
    ['a line break', 'Bank\nSigned by the bank'],
    ['nothing to see', '\u3164'],
    ['101 characters', 'x'.repeat(101)],
  ])('are not registered: %s', async (_name, client_name) => {
    expect(await registerStatus({ client_name, redirect_uris: [redirectUri] })).toBe(
      '400 invalid_client_metadata',
    )
  })

  test('are escaped, next to the host, which cannot be forged', async () => {
    await advance(url, 60)
    const name = `<img src=x onerror=alert(1)> Your bank`
    const named = await registerApp(url, 'https://evil.example/callback', name)
    const { url: target } = authorization(url, named)
    expect((await visit(target)).text).not.toContain('<img src=x')
    const { body } = await (await openConsent(target, member)).post('')
    expect(body.app).toMatchObject({ client_name: name, redirect_host: 'evil.example' })
  })

  test('in the heading are text, not markup', async () => {
    await advance(url, 60)
    const name = '<img src=x onerror="document.title=1"> {{7*7}} </title>'
    const named = await registerApp(url, scene.callback.redirectUri, name)
    await page.goto(authorization(url, named).url.href)
    await page.getByText(name, { exact: false }).first().waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(await page.title()).not.toBe('1')
  })
})

describe('Look-alike hosts', () => {
  test.each([
    ['a Cyrillic letter', 'https://аpp.example.com/callback'],
    ['a full-width letter', 'https://ａpp.example.com/callback'],
    ['another full stop', 'https://app。example.com/callback'],
    ['a user name that looks like a host', 'https://app.example.com@evil.example/callback'],
    ['a backslash before the real host', 'https://app.example.com\\@evil.example/callback'],
    ['a percent-encoded host', 'https://%61pp.example.com/callback'],
  ])('are not registered: %s', async (_name, address) => {
    expect(await registerStatus({ client_name: 'App', redirect_uris: [address] })).toBe(
      '400 invalid_redirect_uri',
    )
  })

  test('are shown as they are resolved, in punycode', async () => {
    await advance(url, 60)
    const named = await registerApp(url, 'https://xn--pp-7lc.example.com/callback', 'App')
    const { body } = await (await openConsent(authorization(url, named).url, member)).post('')
    expect(body.app.redirect_host).toBe('xn--pp-7lc.example.com')
  })
})
