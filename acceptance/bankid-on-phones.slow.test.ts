import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PhoneOrder } from '../stand-ins/bankid/orders.ts'
import { type BankIdStandIn, startBankIdStandIn } from '../stand-ins/bankid/start-bankid-stand-in.ts'
import { browserSceneForTests, owner, reader, stranger } from '../testing/browser/browser-scene.ts'
import { codeOn, scanCode } from '../testing/browser/scan-code.ts'
import { lookOver } from '../testing/browser/screens.ts'

/** BankID on the device that shows the page, with the browsers of phones and a stand-in for BankID. */

let bankId: BankIdStandIn
const scene = browserSceneForTests(async (_url, stack) => {
  bankId = stack.use(await startBankIdStandIn())
  // Each browser sends its address, as a proxy would.
  return { ...bankId.environment, NUMERA_IDENTITY: 'bankid', NUMERA_TRUST_PROXY: '1' }
})

/** A sign-in in Safari waits 20 seconds for its nonce, and a busy machine takes its time. */
const later = { timeout: 60_000 }

const ios = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const safari = `${ios} Version/18.5 Mobile/15E148 Safari/604.1`
/** In these the app opens no address of the service, so there is no nonce. */
const othersOnPhones = {
  'Chrome on an iPhone': `${ios} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`,
  'a browser inside an app on an iPhone': `${ios} Mobile/15E148 Instagram 380.0.0.29.109`,
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
}

/** The browser's address, as the service sees it, and the app's, as BankID sees it. */
const sameNetworks = [
  ['IPv4', '203.0.113.7', '203.0.113.7'],
  ['IPv6', '2001:db8:7:7::1', '2001:db8:7:7:ffff::2'],
] as const
const otherNetworks = [
  ['IPv4, the app on another', '203.0.113.7', '198.51.100.20'],
  ['IPv4, the app on IPv6', '203.0.113.7', '2001:db8:20::1'],
  ['IPv6, the app on IPv4', '2001:db8:7:7::1', '198.51.100.20'],
] as const

/** A phone with its browser, at an address that a proxy reports. */
const openPhone = async (userAgent: string, address: string): Promise<BrowserContext> => {
  const context = await scene.openContext({
    userAgent,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    extraHTTPHeaders: { 'x-forwarded-for': address },
  })
  // The app opens, and the page stays as it is.
  await context.route('https://app.bankid.com/**', (route) => route.fulfill({ status: 204 }))
  return context
}

const appLink = (on: Page) => on.getByRole('link', { name: 'Open BankID on this device' })

/** Opens the app by the page's link. Gives the order as the app has it. */
const openApp = async (on: Page): Promise<PhoneOrder> => {
  const href = (await appLink(on).getAttribute('href'))!
  await appLink(on).click()
  return bankId.phone.open(/autostarttoken=([\w-]+)/.exec(href)![1]!)
}

/** Begins to sign in on a new page. */
const beginOn = async (context: BrowserContext, path = '/sign-in'): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${scene.service.url}${path}`)
  await page.getByRole('button', { name: 'Sign in with BankID' }).click()
  await appLink(page).waitFor()
  return page
}

/** After the person's answer the app opens its return address in the person's browser, if it is a page. */
const openReturn = async (context: BrowserContext, { returnUrl }: PhoneOrder): Promise<Page | undefined> => {
  if (returnUrl?.startsWith('http') !== true) return undefined
  const tab = await context.newPage()
  await tab.goto(returnUrl)
  return tab
}

const reportsOn = (page: Page) => page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor(later)
const sessionStatus = async (context: BrowserContext) =>
  (await context.request.get(`${scene.service.url}/console/session`)).status()
const continuesByCode = async (page: Page): Promise<void> => {
  await codeOn(page).waitFor(later)
  expect(await page.getByRole('alert').textContent()).toContain('was on a different network from this page')
}

describe('A member who begins on their phone is signed in', () => {
  test.for([...sameNetworks, ...otherNetworks])(
    'in Safari, by the page that the app opens: %s',
    async ([_networks, address, ipAddress]) => {
      const context = await openPhone(safari, address)
      const page = await beginOn(context, '/signatures?a=%23')
      const app = await openApp(page)
      await app.sign({ ...reader, ipAddress, risk: 'moderate' })
      const tab = (await openReturn(context, app))!
      await tab.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor(later)
      // The proof is in no address and not in the history: one step back is where the tab began.
      expect(tab.url()).toBe(`${scene.service.url}/signatures?a=%23`)
      expect(await tab.evaluate('history.length')).toBe(2)
      await tab.goBack()
      expect(tab.url()).toBe('about:blank')
    },
  )

  describe.for(Object.entries(othersOnPhones))('in %s', ([_browser, userAgent]) => {
    test.for(sameNetworks)('if the app has the same network: %s', async ([_networks, address, ipAddress]) => {
      const page = await beginOn(await openPhone(userAgent, address))
      await (await openApp(page)).sign({ ...reader, ipAddress, risk: 'moderate' })
      await reportsOn(page)
    })

    test.for(otherNetworks)(
      'by the code, which is shown if the networks prove nothing: %s',
      async ([_networks, address, ipAddress]) => {
        const page = await beginOn(await openPhone(userAgent, address))
        await (await openApp(page)).sign({ ...reader, ipAddress, risk: 'low' })
        await continuesByCode(page)
        expect(await lookOver(page, 'bankid-other-network')).toEqual([])
        await (await scanCode(bankId, page)).sign({ ...reader, ipAddress })
        await reportsOn(page)
      },
    )
  })

  test('in Safari by the code, where the app opened no page', async () => {
    const page = await beginOn(await openPhone(safari, '203.0.113.7'))
    await (await openApp(page)).sign({ ...reader, ipAddress: '198.51.100.20', risk: 'low' })
    await continuesByCode(page)
    // And back to this device, without a trace of what the page showed before.
    await page.getByRole('button', { name: 'Use BankID on this device' }).click()
    await appLink(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('A sign-in whose link an attacker sends to a member does not sign the attacker in', () => {
  const victims = [owner, reader, stranger]

  test.for(Object.entries({ 'Safari on an iPhone': safari, ...othersOnPhones }))(
    'begun in %s, whichever networks the two have',
    async ([_browser, userAgent]) => {
      const relay = async (index: number): Promise<void> => {
        const [, attackersAddress, membersAddress] = otherNetworks[index]!
        const attacker = await openPhone(userAgent, attackersAddress)
        const member = await openPhone(safari, membersAddress)
        // The member may have begun a sign-in of their own.
        if (index === 0) await beginOn(member)
        const attackersPage = await beginOn(attacker)
        // The member opens the link, and confirms.
        const app = await openApp(attackersPage)
        await app.sign({ ...victims[index]!, ipAddress: membersAddress, risk: 'low' })
        const tab = await openReturn(member, app)
        if (tab !== undefined) {
          await tab.getByRole('heading', { level: 1, name: 'Started in another browser' }).waitFor(later)
          expect(tab.url()).toBe(`${scene.service.url}/bankid/return`)
          if (index === 0) expect(await lookOver(tab, 'bankid-other-browser')).toEqual([])
        }
        // The attacker is shown a code, which is worth nothing to them, and has no session.
        await continuesByCode(attackersPage)
        expect(await Promise.all([attacker, member].map(sessionStatus))).toEqual([401, 401])
      }
      await Promise.all(otherNetworks.map((_networks, index) => relay(index)))
    },
  )

  test('with a return address that redirects to their own host, which receives nothing', async () => {
    const { url } = scene.service
    const attacker = await openPhone(safari, '203.0.113.7')
    const member = await openPhone(safari, '198.51.100.20')
    const app = await scene.registerApp('Evil', 'https://evil.example/callback')
    // The authorize endpoint sends each browser to the app, since no answer has that type.
    const authorize = new URL(scene.authorizeUrl(app, { response_type: 'token' }))
    const target = `${authorize.pathname}${authorize.search}`
    const begin = (return_to: string) =>
      attacker.request.post(`${url}/console/sign-in`, {
        data: { return_to, device: 'this' },
        headers: { origin: url },
      })
    for (const return_to of [`${target}#`, target, `/consent${authorize.search}#`]) {
      const refused = await begin(return_to)
      expect([refused.status(), (await refused.json()).field]).toEqual([400, 'return_to'])
    }
    const begun = await (await begin(`/consent${authorize.search}`)).json()
    const [, token] = /autostarttoken=([\w-]+)/.exec(begun.presentation.launch_url)!
    const onPhone = bankId.phone.open(token!)
    await onPhone.sign({ ...owner, ipAddress: '198.51.100.20', risk: 'low' })
    const visited: string[] = []
    member.on('request', (request) => visited.push(request.url()))
    const tab = (await openReturn(member, onPhone))!
    await tab.getByRole('heading', { level: 1, name: 'Started in another browser' }).waitFor(later)
    const nonce = new URL(onPhone.returnUrl!).hash.slice('#nonce='.length)
    expect(visited.filter((address) => new URL(address).origin !== url)).toEqual([])
    expect(visited.filter((address) => new URL(address).search.includes(nonce))).toEqual([])
    // Nor can another page, or another person at this browser, find it.
    expect(
      await tab.evaluate('JSON.stringify([location.href, history.state, localStorage, sessionStorage])'),
    ).not.toContain(nonce)
    expect(await Promise.all([attacker, member].map(sessionStatus))).toEqual([401, 401])
  })
})

test('A consent on a phone: the app returns to the same page after signing in and after signing', async () => {
  const app = await scene.registerApp()
  const context = await openPhone(safari, '2001:db8:7:7::1')
  const page = await context.newPage()
  const address = scene.authorizeUrl(app, { companies: '559999-0024', state: 'a b#c' })
  await page.goto(address)
  await page.getByRole('button', { name: 'Sign in with BankID' }).click()
  await appLink(page).waitFor()
  expect(await lookOver(page, 'bankid-phone')).toEqual([])
  const signingIn = await openApp(page)
  await signingIn.sign({ ...owner, ipAddress: '203.0.113.7' })
  const tab = (await openReturn(context, signingIn))!
  await tab
    .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read your companies’ numbers' })
    .waitFor(later)
  expect(tab.url()).toBe(address.replace('/oauth/authorize?', '/consent?'))
  await tab.getByRole('button', { name: 'Sign and allow' }).click()
  await appLink(tab).waitFor(later)
  expect(await lookOver(tab, 'bankid-phone-signing')).toEqual([])
  const signing = await openApp(tab)
  expect(signing.visibleText).toContain('insight.example')
  await signing.sign(owner)
  const last = (await openReturn(context, signing))!
  await last.waitForURL(`${app.redirectUri}**`, later)
  const { searchParams } = new URL(last.url())
  expect([searchParams.get('code'), searchParams.get('state')]).toEqual([
    expect.stringMatching(/^nac_/),
    'a b#c',
  ])
})

test('A connection signed on a phone continues on the page to which the app returns', async () => {
  const context = await openPhone(safari, '203.0.113.7')
  const page = await beginOn(context)
  await (await openApp(page)).sign({ ...owner, ipAddress: '203.0.113.7' })
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
  await scene.openConnection('Till', page)
  await page.getByRole('button', { name: 'Sign with BankID' }).click()
  await appLink(page).waitFor(later)
  const signing = await openApp(page)
  await signing.sign(owner)
  const tab = (await openReturn(context, signing))!
  await tab.waitForURL(page.url(), later)
  await tab.getByRole('heading', { level: 1, name: 'Till' }).waitFor(later)
})

test('A person whose app is on another device gets the code', async () => {
  const page = await beginOn(await openPhone(safari, '203.0.113.7'))
  await page.getByRole('button', { name: 'Use BankID on another device' }).click()
  await codeOn(page).waitFor()
  expect(await lookOver(page, 'bankid-phone-code')).toEqual([])
  await (await scanCode(bankId, page)).sign({ ...reader, ipAddress: '198.51.100.20' })
  await reportsOn(page)
})
