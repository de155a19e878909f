import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type App, requestRegistration, authorization, exchange } from '../process/oauth-app.ts'
import { type Person, signIn as signInByApi } from '../process/console-client.ts'
import { advance } from '../process/call.ts'
import { shareBrowser } from './chromium.ts'
import { comeSignedIn, identify } from './member-in-browser.ts'
import { closeAfterTest, openContext, type OpenedContext } from './open-context.ts'
import { openConsent, signConsent } from '../process/consent.ts'
import { freePort } from '../process/free-port.ts'
import { type Service, startService } from '../process/start-service.ts'
import { provideCompany } from '../process/company.ts'

/** Owns three companies. */
export const owner: Person = { personalNumber: '191212121212', name: 'Olivia Ägare' }
/** Reads one company. */
export const reader: Person = { personalNumber: '198112189876', name: 'Lena Läsare' }
export const stranger: Person = { personalNumber: '199001012385', name: 'Frida Främling' }
export const callback = 'https://ledger-insight.example/callback'
export const otherServer = 'https://reports.example/api'

/** The app's page, which lists the parameters it received. */
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

/** Gives the first one's id. */
const addThreeCompanies = async (service: Service): Promise<string> => {
  const { companyId } = await provideCompany(service)
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

/** A service with three companies, and a browser with a page for each test. */
export interface BrowserScene {
  readonly service: Service
  /** Ekeby Handel AB, 559999-0016. */
  readonly companyId: string
  readonly context: BrowserContext
  readonly page: Page
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Registers an app. Moves the clock forward past the rate limit. */
  registerApp: (name?: string, redirectUri?: string) => Promise<App>
  /** Creates a connection as the signed-in member, and opens its page. */
  openConnection: (name?: string, on?: Page) => Promise<void>
  authorizeUrl: (app: App, parameters?: Record<string, string>) => string
  /** Answers in the window of the demo's electronic identity, which the page's link opens. */
  answer: (person: Person | 'refuse') => Promise<void>
  signIn: (person?: Person) => Promise<void>
  /** Signs in without the pages. */
  comeSignedIn: (person?: Person, into?: BrowserContext) => Promise<void>
  /** Allows an app to read one company, without a browser. Gives an access token. */
  allow: (app: App, person?: Person) => Promise<string>
  /** Waits for the redirect to the app, and gives its parameters. */
  backAtApp: () => Promise<Record<string, string>>
  tick: (name: string | RegExp) => Locator
}

/** Starts what the service needs, which the stack disposes of, and gives the service's variables. */
type Prepare = (url: string, stack: AsyncDisposableStack) => Promise<NodeJS.ProcessEnv>

/**
 * Starts it for the tests of a file. A test fails if one of its pages has a complaint, such as a script that the content
 * policy blocked.
 */
export const browserSceneForTests = (prepare: Prepare = async () => ({})): BrowserScene => {
  const stack = new AsyncDisposableStack()
  let service: Service
  let browser: Browser
  let companyId: string
  let opened: OpenedContext[]
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    const port = await freePort()
    const prepared = await prepare(`http://127.0.0.1:${port}`, stack)
    ;[service, browser] = await Promise.all([
      // Only a service with the demo's identity has a test clock.
      startService({
        port,
        environment: { ...environment, ...prepared },
        ...('NUMERA_IDENTITY' in prepared && { words: ['serve'] }),
      }),
      shareBrowser(),
    ])
    companyId = await addThreeCompanies(service)
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await stack.disposeAsync()
  })

  const openOwnContext: BrowserScene['openContext'] = async (options = {}) => {
    const own = await openContext(browser, options)
    // Apps, and other addresses outside the service.
    await own.context.route(/^https:/, (route) =>
      route.fulfill({ contentType: 'text/html', body: appPage(new URL(route.request().url())) }),
    )
    opened.push(own)
    return own.context
  }

  beforeEach(async () => {
    opened = []
    context = await openOwnContext()
    page = await context.newPage()
  })
  afterEach(({ task }) => closeAfterTest(task, opened))

  const answer: BrowserScene['answer'] = async (person) => {
    await identify(context, page, person)
    // A headless browser does not report that the page is visible again.
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
    openContext: openOwnContext,
    registerApp: async (name = 'Ledger Insight', redirectUri = callback) => {
      for (;;) {
        const { status, body, text } = await requestRegistration(service.url, {
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
    comeSignedIn: (person = owner, into = context) => comeSignedIn(into, service.url, person),
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
