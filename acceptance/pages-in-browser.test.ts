import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type App, askToRegister, authorization, exchange } from './app.ts'
import { approve, type Person, signIn as signInByApi } from './browser.ts'
import { advance, call } from './call.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { openConsent, signConsent } from './consent.ts'
import { lookOver } from './screens.ts'
import { type Service, startService } from './service.ts'
import { makeCompany } from './setup.ts'

/** Of three companies. */
const owner: Person = { personalNumber: '191212121212', name: 'Olivia Ägare' }
/** Of one. */
const reader: Person = { personalNumber: '198112189876', name: 'Lena Läsare' }
const stranger: Person = { personalNumber: '199001012385', name: 'Frida Främling' }
const callback = 'https://ledger-insight.example/callback'
const otherServer = 'https://reports.example/api'

let service: Service
let chromium: Chromium
/** Ekeby Handel AB, 559999-0016. */
let companyId: string
beforeAll(async () => {
  ;[service, chromium] = await Promise.all([
    startService({
      environment: {
        NUMERA_OAUTH_RESOURCES: otherServer,
        NUMERA_OAUTH_RATE_PER_MINUTE: '10000',
        NUMERA_OAUTH_RATE_BURST: '10000',
        NUMERA_RATE_PER_MINUTE: '10000',
        NUMERA_RATE_BURST: '10000',
      },
    }),
    startChromium(),
  ])
  companyId = (await makeCompany(service)).companyId
  const addMember = (company: string, person: Person) =>
    service.command('member add', { company, 'personal-number': person.personalNumber, role: 'reader' })
  const addCompany = async (orgnr: string, name: string) => {
    await service.command('company add', { orgnr, name, 'time-zone': 'Europe/Stockholm' })
    await addMember(orgnr, owner)
  }
  await Promise.all([
    addMember('559999-0016', reader),
    addCompany('559999-0024', 'Norrsken Kaffe AB'),
    addCompany('559999-0032', 'Söderberg & Döttrar Byggnadssnickeri Handelsbolag'),
  ])
})
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** What the browser complains of on our pages: blocked by the content policy, missing, thrown. */
let complaints: string[]
let context: BrowserContext
let page: Page

/** The app's own page, which says what it was given. */
const appPage = ({ host, searchParams }: URL): string => `<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>The app</title><body style="font-family: system-ui; max-width: 30rem; margin: 3rem auto; padding: 1rem">
<main><h1>Back at ${host}</h1><p>Given: ${[...searchParams.keys()].join(', ')}</p></main>`

const openContext = async (
  options: { locale?: string; javaScriptEnabled?: boolean } = {},
): Promise<BrowserContext> => {
  const opened = await chromium.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
  opened.setDefaultTimeout(10_000)
  // The apps, and whatever else is not ours.
  await opened.route(/^https:/, (route) =>
    route.fulfill({ contentType: 'text/html', body: appPage(new URL(route.request().url())) }),
  )
  opened.on('console', (message) => {
    // A call that is answered with an error is shown by the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  opened.on('weberror', (error) => complaints.push(String(error.error())))
  return opened
}

beforeEach(async () => {
  complaints = []
  context = await openContext()
  page = await context.newPage()
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

/** Registers an app; past the limit the clock is moved on. */
const registerApp = async (name = 'Ledger Insight', redirectUri = callback): Promise<App> => {
  for (;;) {
    const { status, body, text } = await askToRegister(service.url, {
      client_name: name,
      redirect_uris: [redirectUri],
    })
    if (status === 201) return { clientId: body.client_id, redirectUri }
    if (status !== 429) throw new Error(text)
    await advance(service.url, 60)
  }
}

const authorizeUrl = (app: App, parameters: Record<string, string> = {}): string =>
  authorization(service.url, app, { state: 'xyz', ...parameters }).url.href

/** Answers at the demo's electronic identity, in the window that the page's link opens. */
const answer = async (person: Person | 'refuse'): Promise<void> => {
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /demo identity/ }).click()
  const window = await opening
  if (person === 'refuse') {
    await window.getByRole('button', { name: 'Refuse' }).click()
  } else {
    await window.getByLabel('Personal number').fill(person.personalNumber)
    await window.getByLabel('Name').fill(person.name)
    await window.getByRole('button', { name: /^Sign/ }).click()
  }
  await window.getByText('You can close this page').waitFor()
  await window.close()
  // A headless browser hides no page, and so shows none again.
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
}

const signIn = async (person: Person = owner): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await answer(person)
}

/** Waits until the browser is back at the app, and gives what it came with. */
const backAtApp = async (): Promise<Record<string, string>> => {
  await page.waitForURL(`${callback}**`)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

const tick = (name: string | RegExp) => page.getByRole('checkbox', { name })

test('First consent: a member signs in, looks at what an app asks for, ticks, signs, and is sent back with a code', async () => {
  const app = await registerApp()
  await page.goto(authorizeUrl(app, { companies: '559999-0024', resource: otherServer }))
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  expect(await lookOver(page, 'sign-in')).toEqual([])
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await page.getByText('Waiting for you').waitFor()
  expect(await lookOver(page, 'sign-in-waiting')).toEqual([])
  await answer(owner)

  await page
    .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read your companies’ numbers' })
    .waitFor()
  await page.getByText('ledger-insight.example', { exact: true }).waitFor()
  await page.getByText(otherServer).waitFor()
  await page.getByText(owner.name).waitFor()
  expect(await tick('Your companies').isChecked()).toBe(true)
  expect(await tick('Numbers').isChecked()).toBe(true)
  expect(await tick('Norrsken Kaffe AB').isChecked()).toBe(true)
  expect(await tick('Ekeby Handel AB').isChecked()).toBe(false)
  const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(Date.now() + 90 * 24 * 3_600_000)
  await page.getByText(`Ends by itself on ${end}`).waitFor()
  expect(await lookOver(page, 'consent')).toEqual([])

  await tick('Norrsken Kaffe AB').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Choose a company').waitFor()
  expect(await lookOver(page, 'consent-nothing')).toEqual([])
  await page.getByRole('radio', { name: 'All my companies' }).check()
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await page.getByRole('radio', { name: 'Only these' }).check()
  await tick('Ekeby Handel AB').check()
  await tick('Your companies').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()

  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  const text = page.getByRole('blockquote')
  expect(await text.textContent()).toContain('Ekeby Handel AB')
  expect(await text.textContent()).toContain('metrics.read')
  expect(await text.textContent()).not.toContain('company.read')
  expect(await lookOver(page, 'signing')).toEqual([])
  await answer(owner)
  expect(await backAtApp()).toEqual({
    code: expect.stringMatching(/^nac_/),
    state: 'xyz',
    iss: service.url,
  })
})

/** A person allows an app to see one company, without a browser; gives an access token. */
const allow = async (app: App, person: Person = owner): Promise<string> => {
  const { url, codeVerifier } = authorization(service.url, app, { scope: 'company.read' })
  const consent = await openConsent(url, await signInByApi(service.url, person))
  const back = await signConsent(service.url, consent, person, {
    companies: { every: false, company_ids: [companyId] },
  })
  const { body } = await exchange(service.url, app, back.searchParams.get('code')!, codeVerifier)
  return body.access_token
}

/** The browser has a session already when it comes to the page. */
const comeSignedIn = async (person: Person = owner, into = context): Promise<void> => {
  const { request } = into
  const begun = await request.post(`${service.url}/console/sign-in`, { data: {} })
  const order = await begun.json()
  await approve(service.url, order.presentation.open_url, person)
  await request.post(`${service.url}/console/sign-in/${order.order_id}/collect`, { data: {} })
}

test('Adding: only what is new is shown and signed, and the end stays', async () => {
  const app = await registerApp()
  await allow(app)
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016 559999-0024' }))
  await page
    .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read more of your companies’ numbers' })
    .waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(2)
  expect(await tick('Numbers').isChecked()).toBe(true)
  expect(await tick('Norrsken Kaffe AB').isChecked()).toBe(true)
  await page.getByText('What you allowed before stays as it is').waitFor()
  expect(await lookOver(page, 'adding')).toEqual([])
  await tick('Norrsken Kaffe AB').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  expect(await page.getByRole('blockquote').textContent()).toContain('metrics.read')
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('Renewal: with nothing new to allow, a signed-in member is back at the app without a question', async () => {
  const app = await registerApp()
  await allow(app)
  await page.goto(authorizeUrl(app, { scope: 'company.read' }))
  await signIn()
  expect(await backAtApp()).toEqual({
    code: expect.stringMatching(/^nac_/),
    state: 'xyz',
    iss: service.url,
  })
  expect(await lookOver(page, 'renewal')).toEqual([])
})

test('Denial: the app is told, and nothing is allowed', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(await backAtApp()).toMatchObject({ error: 'access_denied', state: 'xyz', iss: service.url })
  expect(await lookOver(page, 'denial')).toEqual([])

  await page.goto(authorizeUrl(app))
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Choose a company').waitFor()
  await tick('Ekeby Handel AB').check()
  await tick('Numbers').uncheck()
  await tick('Your companies').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Tick what the app may see').waitFor()
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(await backAtApp()).toMatchObject({ error: 'access_denied' })
})

test('Error page: an app that nobody knows is told to the member, and nobody is sent on', async () => {
  await page.goto(authorizeUrl({ clientId: 'app_0123456789abcdefghijkl', redirectUri: callback }))
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).origin).toBe(service.url)
  expect(await lookOver(page, 'error')).toEqual([])
  // In the other language too, without a script and without asking again.
  await page.getByRole('link', { name: 'Svenska' }).click()
  await page.getByRole('heading', { level: 1, name: 'Appen är inte känd här' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'This app is not known here' }).waitFor()
})

test('The whole way goes with the keyboard alone', async () => {
  const app = await registerApp()
  const press = async (key: string, times = 1): Promise<void> => {
    for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> =>
    page.locator(':focus').evaluate((element) => (element as { innerText?: string }).innerText ?? '')
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  await press('Tab', 2)
  expect(await focused()).toBe('Sign in with electronic identity')
  await press('Enter')
  await page.getByRole('link', { name: /demo identity/ }).waitFor()
  await answer(owner)

  // The focus is at what is new, so that it is read out.
  await page.getByRole('heading', { level: 1, name: /wants to read your companies/ }).waitFor()
  expect(await focused()).toContain('Ledger Insight')
  await press('Tab')
  await press('Space')
  expect(await tick('Your companies').isChecked()).toBe(false)
  await press('Enter')
  expect(await page.getByRole('button', { name: 'Sign and allow' }).isEnabled()).toBe(true)
  // Numbers, the choice of companies, the three companies, the link to the apps, the button.
  await press('Tab', 2)
  await press('ArrowUp')
  expect(await page.getByRole('radio', { name: 'All my companies' }).isChecked()).toBe(true)
  await press('ArrowDown')
  await press('Tab', 5)
  expect(await focused()).toBe('Sign and allow')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  expect(await focused()).toBe('Sign')
  await press('Tab')
  expect(await focused()).toContain('Open the demo identity')
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A session that ends in the middle: the page says so, and after a new sign-in the same request is there', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await advance(service.url, 13 * 3_600)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText('You have been signed out').waitFor()
  expect(await lookOver(page, 'session-ended')).toEqual([])
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  // Signed out in another window, while the signature is waited for.
  const session = await (await context.request.get(`${service.url}/console/session`)).json()
  const headers = { 'x-csrf-token': session.csrf_token }
  await context.request.post(`${service.url}/console/sign-out`, { data: {}, headers })
  await page.getByText('You have been signed out').waitFor()
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A signature that is refused, given by somebody else or too late is told, and can be tried again', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  const sign = page.getByRole('button', { name: 'Sign and allow' })
  await sign.click()
  await answer('refuse')
  await page.getByRole('alert').getByText('It was refused').waitFor()
  expect(await lookOver(page, 'signature-refused')).toEqual([])
  await sign.click()
  await answer(stranger)
  await page.getByRole('alert').getByText('Somebody else answered').waitFor()
  await sign.click()
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  await advance(service.url, 3_600)
  await page.getByRole('alert').getByText('not answered in time').waitFor()
  await sign.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await sign.click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A sign-in that is refused is told, and can be tried again; who is signed in can leave', async () => {
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await answer('refuse')
  await page.getByRole('alert').getByText('It was refused').waitFor()
  await signIn()
  // Of three companies.
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
  expect(page.url()).toBe(`${service.url}/`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('Somebody else who signs in in another window: nothing is signed, and the page shows who it is now', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await comeSignedIn(stranger)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText(stranger.name).waitFor()
  await page.getByText('You are not signed in as you were').waitFor()
  await page.getByText('You belong to no company here').waitFor()
  expect(await lookOver(page, 'somebody-else')).toEqual([])
  const address = page.url()
  await page.getByRole('button', { name: 'Not you? Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(address)
  await signIn()
  await page.getByRole('heading', { level: 1, name: /wants to read your companies/ }).waitFor()
  expect(await page.getByText('You are not signed in as you were').count()).toBe(0)
})

test('A hostile app: its name and host stay within their place, and nothing of them is taken for the page', async () => {
  const host = `${'xn--80ak6aa92e.'.repeat(9)}example`
  const name = `<b>Numera</b> {{app}} $t(consent.deny) ${'W'.repeat(40)} שלום`
  const redirectUri = `https://${host}/callback`
  const app = await registerApp(name, redirectUri)
  await comeSignedIn()
  await page.goto(authorizeUrl(app))
  await page.getByRole('heading', { level: 1 }).getByText(name, { exact: true }).waitFor()
  await page.getByText(host, { exact: true }).waitFor()
  expect(await lookOver(page, 'hostile')).toEqual([])
})

test('A member of one company sees it ticked, and may allow those that come later too', async () => {
  const app = await registerApp()
  await comeSignedIn(reader)
  await page.goto(authorizeUrl(app))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  expect(await tick('Ekeby Handel AB').isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'All my companies, later ones too' }).check()
  expect(await tick('Ekeby Handel AB').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText(/all my companies, later ones too/).waitFor()
})

test('Your apps: what apps may read, what they have called, and the end of it', async () => {
  await comeSignedIn(reader)
  await page.goto(`${service.url}/apps`)
  await page.getByRole('heading', { name: 'No app reads for you' }).waitFor()
  expect(await lookOver(page, 'apps-none')).toEqual([])

  const credential = await allow(await registerApp(), reader)
  const often = await allow(await registerApp('Kvartalsrapporten', 'https://kvartal.example/back'), reader)
  const read = async (): Promise<number> => (await call(`${service.url}/v1/companies`, { credential })).status
  expect(await read()).toBe(200)
  await call(`${service.url}/v1/samples?orgnr=559999-0024`, { credential })
  // Calls are on record a little later.
  const { request } = context
  const list = async (path: string) => (await request.get(`${service.url}/console/apps${path}`)).json()
  const { apps } = await list('')
  const areRecorded = async (name: string, count: number): Promise<void> => {
    const { connection_id: id } = apps.find((app: { client_name: string }) => app.client_name === name)
    await expect.poll(async () => (await list(`/${id}/calls`)).calls.length, { timeout: 15_000 }).toBe(count)
  }
  await areRecorded('Ledger Insight', 2)

  await page.reload()
  const cards = page.getByRole('main').getByRole('listitem')
  await cards.nth(1).waitFor()
  const card = cards.filter({ hasText: 'Ledger Insight' })
  expect(await card.innerText()).toContain('Active')
  expect(await card.innerText()).toContain('Ekeby Handel AB')
  await card.getByRole('button', { name: 'Show calls' }).click()
  await card.getByText('Looked which companies there are').waitFor()
  expect(await lookOver(page, 'apps')).toEqual([])

  await card.getByRole('button', { name: 'End access' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('End the access of').waitFor()
  expect(await lookOver(page, 'apps-end')).toEqual([])
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  expect(await read()).toBe(200)
  await card.getByRole('button', { name: 'End access' }).click()
  await dialog.getByRole('button', { name: 'End access' }).click()
  await card.getByText('Ended by you').waitFor()
  expect(await page.getByRole('status').innerText()).toContain('has ended')
  expect(await read()).toBe(401)
  expect(await lookOver(page, 'apps-ended')).toEqual([])

  for (let calls = 0; calls < 25; calls++) await call(`${service.url}/v1/companies`, { credential: often })
  await areRecorded('Kvartalsrapporten', 25)
  const other = cards.filter({ hasText: 'Kvartalsrapporten' })
  await other.getByRole('button', { name: 'Show calls' }).click()
  await other.getByText('Looked which companies there are 25 times').waitFor()
})

test('The document tells a browser all that its first view loads and asks, and nothing of it is asked for twice', async () => {
  await page.goto(`${service.url}/sign-in`)
  await signIn(reader)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url().slice(service.url.length)))
  const reports = `/companies/${companyId}/reports`
  const document = (await page.goto(`${service.url}${reports}`))!
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  const link = document.headers()['link']!
  const told = new Set([...link.matchAll(/<([^>]+)>/g)].map(([, address]) => address!))
  for (const address of ['/console/session', `/console${reports}?limit=100`]) {
    expect(told, address).toContain(address)
    expect(loaded.filter((each) => each.split('?')[0] === address.split('?')[0])).toHaveLength(1)
  }
  const named = await document.text()
  const scripts = loaded.filter((address) => address.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((address) => !told.has(address) && !named.includes(address))).toEqual([])
})

test('An address that nobody knows is a page, and one may end in a slash', async () => {
  const unknown = await page.goto(`${service.url}/nowhere`)
  expect(unknown!.status()).toBe(404)
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
  expect(await lookOver(page, 'unknown')).toEqual([])
  await comeSignedIn(reader)
  const known = await page.goto(`${service.url}/companies/${companyId}/reports/`)
  expect(known!.status()).toBe(200)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
})

test('A browser without JavaScript is told that the pages need it', async () => {
  const plain = await openContext({ javaScriptEnabled: false })
  const first = await plain.newPage()
  await first.goto(`${service.url}/sign-in`)
  await first.locator('p', { hasText: 'Numera’s pages need JavaScript.' }).waitFor()
  await first.locator('p', { hasText: 'Numeras sidor behöver JavaScript.' }).waitFor()
  await plain.close()
})

test('A browser that prefers Swedish gets Swedish, and what is chosen stays', async () => {
  const swedish = await openContext({ locale: 'sv-SE' })
  const first = await swedish.newPage()
  await first.goto(`${service.url}/sign-in`)
  await first.getByRole('heading', { level: 1, name: 'Logga in' }).waitFor()
  expect(await first.locator('html').getAttribute('lang')).toBe('sv')
  await first.getByRole('button', { name: 'English' }).click()
  await first.reload()
  await first.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

  // What is signed is in the language of the page.
  await first.getByRole('button', { name: 'Svenska' }).click()
  await comeSignedIn(owner, swedish)
  await first.goto(authorizeUrl(await registerApp(), { companies: '559999-0016' }))
  await first.getByRole('button', { name: 'Skriv under och tillåt' }).click()
  const text = first.getByRole('blockquote')
  expect(await text.textContent()).toContain('Jag tillåter en app')
  expect(await text.getAttribute('lang')).toBe('sv')
  await swedish.close()
})
