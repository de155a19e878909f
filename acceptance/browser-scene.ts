import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type App, askToRegister, authorization, exchange } from './app.ts'
import { approve, type Person, signIn as signInByApi } from './browser.ts'
import { advance } from './call.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { openConsent, signConsent } from './consent.ts'
import { freePort } from './free-port.ts'
import { type Service, startService } from './service.ts'
import { makeCompany } from './setup.ts'

/** Of three companies. */
export const owner: Person = { personalNumber: '191212121212', name: 'Olivia Ägare' }
/** Of one. */
export const reader: Person = { personalNumber: '198112189876', name: 'Lena Läsare' }
export const stranger: Person = { personalNumber: '199001012385', name: 'Frida Främling' }
export const callback = 'https://ledger-insight.example/callback'
export const otherServer = 'https://reports.example/api'

/** The app's own page, which says what it was given. */
const appPage = ({ host, searchParams }: URL): string => `<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>The app</title><body style="font-family: system-ui; max-width: 30rem; margin: 3rem auto; padding: 1rem">
<main><h1>Back at ${host}</h1><p>Given: ${[...searchParams.keys()].join(', ')}</p></main>`

const environment = {
  NUMERA_OAUTH_RESOURCES: otherServer,
  NUMERA_OAUTH_RATE_PER_MINUTE: '10000',
  NUMERA_OAUTH_RATE_BURST: '10000',
  NUMERA_RATE_PER_MINUTE: '10000',
  NUMERA_RATE_BURST: '10000',
  NUMERA_WRITE_RATE_BURST: '10000',
}

/** Gives the id of the first one. */
const addThreeCompanies = async (service: Service): Promise<string> => {
  const { companyId } = await makeCompany(service)
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
  return companyId
}

/** For the tests of a file: a service with three companies, and a browser with a page for each test. */
export interface BrowserScene {
  readonly service: Service
  /** Ekeby Handel AB, 559999-0016. */
  readonly companyId: string
  readonly context: BrowserContext
  readonly page: Page
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Registers an app; past the limit the clock is moved on. */
  registerApp: (name?: string, redirectUri?: string) => Promise<App>
  /** Makes a connection as its page does, by whoever is signed in, and opens it. */
  openConnection: (name?: string, on?: Page) => Promise<void>
  authorizeUrl: (app: App, parameters?: Record<string, string>) => string
  /** Answers at the demo's electronic identity, in the window that the page's link opens. */
  answer: (person: Person | 'refuse') => Promise<void>
  signIn: (person?: Person) => Promise<void>
  /** The browser has a session already when it comes to the page. */
  comeSignedIn: (person?: Person, into?: BrowserContext) => Promise<void>
  /** A person allows an app to see one company, without a browser; gives an access token. */
  allow: (app: App, person?: Person) => Promise<string>
  /** Waits until the browser is back at the app, and gives what it came with. */
  backAtApp: () => Promise<Record<string, string>>
  tick: (name: string | RegExp) => Locator
}

/** Starts what the service needs, which ends with the stack, and gives its variables. */
type Prepare = (url: string, stack: AsyncDisposableStack) => Promise<NodeJS.ProcessEnv>

/**
 * Starts it before the tests of a file and ends it behind them. Behind each test the browser must have had nothing to complain of
 * on our pages: blocked by the content policy, missing, thrown.
 */
export const browserSceneForTests = (prepare: Prepare = async () => ({})): BrowserScene => {
  const stack = new AsyncDisposableStack()
  let service: Service
  let chromium: Chromium
  let companyId: string
  let complaints: string[]
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    const port = await freePort()
    const prepared = await prepare(`http://127.0.0.1:${port}`, stack)
    ;[service, chromium] = await Promise.all([
      // Clocks are moved with the demo's identity alone.
      startService({
        port,
        environment: { ...environment, ...prepared },
        ...('NUMERA_IDENTITY' in prepared && { words: ['serve'] }),
      }),
      startChromium(),
    ])
    companyId = await addThreeCompanies(service)
  })
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await stack.disposeAsync()
  })

  const openContext: BrowserScene['openContext'] = async (options = {}) => {
    const opened = await chromium.browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Stockholm',
      reducedMotion: 'reduce',
      ...options,
    })
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

  const answer: BrowserScene['answer'] = async (person) => {
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

  return {
    get service() {
      return service
    },
    get companyId() {
      return companyId
    },
    get context() {
      return context
    },
    get page() {
      return page
    },
    openContext,
    registerApp: async (name = 'Ledger Insight', redirectUri = callback) => {
      for (;;) {
        const { status, body, text } = await askToRegister(service.url, {
          client_name: name,
          redirect_uris: [redirectUri],
        })
        if (status === 201) return { clientId: body.client_id, redirectUri }
        if (status !== 429) throw new Error(text)
        await advance(service.url, 60)
      }
    },
    openConnection: async (name = 'Kassan', on = page) => {
      const { request } = on
      const session = await (await request.get(`${service.url}/console/session`)).json()
      const made = await request.post(`${service.url}/console/companies/${companyId}/connections`, {
        headers: { 'x-csrf-token': session.csrf_token, origin: service.url },
        data: {
          name,
          source_id: null,
          permissions: ['metrics.read'],
          kind: 'production',
          credential_kind: 'client',
        },
      })
      const { connection } = await made.json()
      await on.goto(`${service.url}/companies/${companyId}/connections/${connection.connection_id}`)
    },
    authorizeUrl: (app, parameters = {}) =>
      authorization(service.url, app, { state: 'xyz', ...parameters }).url.href,
    answer,
    signIn: async (person = owner) => {
      await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
      await answer(person)
    },
    comeSignedIn: async (person = owner, into = context) => {
      const { request } = into
      const begun = await request.post(`${service.url}/console/sign-in`, { data: {} })
      const order = await begun.json()
      await approve(service.url, order.presentation.open_url, person)
      await request.post(`${service.url}/console/sign-in/${order.order_id}/collect`, { data: {} })
    },
    allow: async (app, person = owner) => {
      const { url, codeVerifier } = authorization(service.url, app, { scope: 'company.read' })
      const consent = await openConsent(url, await signInByApi(service.url, person))
      const back = await signConsent(service.url, consent, person, {
        companies: { every: false, company_ids: [companyId] },
      })
      const { body } = await exchange(service.url, app, back.searchParams.get('code')!, codeVerifier)
      return body.access_token
    },
    backAtApp: async () => {
      await page.waitForURL(`${callback}**`)
      return Object.fromEntries(new URL(page.url()).searchParams)
    },
    tick: (name) => page.getByRole('checkbox', { name }),
  }
}
