import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { authorization, exchange, registerApp } from '../../testing/process/oauth-app.ts'
import { type Person, signIn } from '../../testing/process/console-client.ts'
import { allowApp } from '../../testing/process/consent.ts'
import { push, waitUntilRead } from '../../testing/process/numera-api.ts'
import { createDatabase } from '../../testing/process/create-database.ts'
import { startService } from '../../testing/process/start-service.ts'
import type { Company } from '../../testing/process/company.ts'
import {
  type ConnectionOptions,
  openShopOf,
  revenue,
  type Shop,
  sourceBody,
  type SourceOptions,
} from '../../testing/process/shop.ts'
import type { SceneName } from './page.ts'

/** The reader of a page, with a service that has what the page's scene promises. */
export interface Scene extends AsyncDisposable {
  /** The service's address, without a slash at the end. */
  url: string
  /** Added to the environment of the reader's shell. */
  environment: NodeJS.ProcessEnv
  /** The reader's value of a variable; undefined if the scene promises none of that name. */
  getValue(name: string): Promise<string | undefined>
  /** Waits until everything sent is parsed: a reader takes longer to continue. */
  settle(): Promise<void>
  /** The reader opens an authorization request in a browser and signs. Gives where the browser is sent. */
  allow(authorizeUrl: string): Promise<URL>
}

export interface SceneOptions {
  /** The service that pages share, each with a company of its own. */
  url: string
  /** At most 250, another one for each page. */
  pageNumber: number
  /** Sources that pages declare in a file, by its name: `SALES_CREDENTIAL` is of the one in `sales.json`. */
  declarations: ReadonlyMap<string, object>
}

/** The pages are read faster than by a person, each by a reader in another network. */
export const readersEnvironment: NodeJS.ProcessEnv = {
  NUMERA_RATE_BURST: '10000',
  NUMERA_OAUTH_RATE_BURST: '10000',
  NUMERA_WRITE_RATE_BURST: '10000',
  NUMERA_TRUST_PROXY: '1',
}

const checkDigit = (digits: string): number => {
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const product = index % 2 === 0 ? digit * 2 : digit
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** A person of its own for each page. */
const createReader = (pageNumber: number): Person => {
  const digits = `700101${100 + pageNumber}`
  return { personalNumber: `19${digits}${checkDigit(digits)}`, name: 'Rut Läsare' }
}

/** The reader creates a company as a visitor of a demo does. */
const createCompany = async (url: string, reader: Person, pageNumber: number): Promise<Company> => {
  const browser = await signIn(url, reader)
  const { body: session } = await browser.get('/console/session')
  const { status, text, body } = await browser.post(
    '/console/demo-companies',
    { name: 'Bageriet AB' },
    { 'x-csrf-token': session.csrf_token, 'x-forwarded-for': `10.1.${pageNumber}.1` },
  )
  if (status !== 201) throw new Error(`no company was made: ${status} ${text}`)
  return { companyId: body.company_id, orgnr: body.orgnr }
}

const firstSteps: SourceOptions = {
  name: 'First steps',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
  ],
  metrics: [revenue({ group_by: ['country'] })],
}
type CompanyScene = 'events' | 'statements' | 'webhook' | 'app'
const sources: Record<CompanyScene, SourceOptions> = {
  events: firstSteps,
  app: firstSteps,
  webhook: { ...firstSteps, name: 'Orders', channel: 'webhook' },
  statements: {
    ...firstSteps,
    delivers: 'statements',
    metrics: [revenue({ group_by: ['country'], period: 'month' })],
  },
}

/** An app that may read the reader's sales. */
const openApp = async (url: string, reader: Person, credential: string): Promise<Record<string, string>> => {
  const at = new Date(Date.now() - 86_400_000).toISOString()
  const { artifact_id } = await push(url, credential, 'sale-1', [{ at, amount: '249.50', country: 'SE' }])
  await waitUntilRead(url, credential, artifact_id)
  const app = await registerApp(url, 'http://127.0.0.1:8765/callback')
  const request = authorization(url, app)
  const back = await allowApp(url, request.url, reader)
  const { body } = await exchange(url, app, back.searchParams.get('code')!, request.codeVerifier)
  return { CLIENT_ID: app.clientId, ACCESS_TOKEN: body.access_token, REFRESH_TOKEN: body.refresh_token }
}

const waitUntilParsed = async ({ browser, pages }: Shop): Promise<void> => {
  for (;;) {
    const { status, text, body } = await browser.get(`${pages}/deliveries?state=queued&limit=1`)
    if (status !== 200) throw new Error(`${status} ${text}`)
    if (body.deliveries.length === 0) return
    await sleep(20)
  }
}

type Values = Record<string, string>

/** What is created when a page first needs it, by the variables that it provides. */
const createMakers = (
  name: CompanyScene,
  shop: Shop,
  sourceId: string,
  reader: Person,
): Record<string, () => Promise<Values>> => {
  const permissions = name === 'webhook' ? ['metrics.read'] : ['sources.ingest', 'metrics.read']
  const connect = (options: ConnectionOptions = {}) =>
    shop.connect({ source_id: sourceId, permissions, ...options })
  const makeClient = async (): Promise<Values> => {
    const { clientId, secret } = await connect({ credential_kind: 'client' })
    return { CLIENT_ID: clientId, CLIENT_SECRET: secret }
  }
  const makeApp = async (): Promise<Values> => openApp(shop.url, reader, (await connect()).credential)
  return {
    CREDENTIAL: async () => ({ CREDENTIAL: (await connect()).credential }),
    SANDBOX_CREDENTIAL: async () => ({ SANDBOX_CREDENTIAL: (await connect({ kind: 'sandbox' })).credential }),
    ...(name === 'app'
      ? { CLIENT_ID: makeApp, ACCESS_TOKEN: makeApp, REFRESH_TOKEN: makeApp }
      : { CLIENT_ID: makeClient, CLIENT_SECRET: makeClient }),
  }
}

/** A reader's company, and what its pages have needed so far. */
interface CompanyOfReader {
  shop: Shop
  reader: Person
  declarations: ReadonlyMap<string, object>
  /** The credentials of sources that pages declare, by variable. Source names are unique. */
  declared: Map<string, string>
}

const openCompany = async ({ url, pageNumber, declarations }: SceneOptions): Promise<CompanyOfReader> => {
  const reader = createReader(pageNumber)
  const shop = await openShopOf(url, await createCompany(url, reader, pageNumber), reader)
  return { shop, reader, declarations, declared: new Map() }
}

const openCompanyScene = async (
  name: CompanyScene,
  { shop, reader, declarations, declared }: CompanyOfReader,
): Promise<Scene> => {
  const { url } = shop
  const { body: source } = await shop.browser.post(`${shop.pages}/sources`, sourceBody(sources[name]))
  const makers = createMakers(name, shop, source.source_id, reader)
  const values = new Map<string, string>([
    ['COMPANY_ORGNR', shop.company.orgnr],
    ['SOURCE_ID', source.source_id],
    ...(name === 'webhook' ? [['WEBHOOK_SECRET', source.signing_secret] as const] : []),
  ])

  const make = async (wanted: string): Promise<Values> => {
    const maker = makers[wanted]
    if (maker !== undefined) return maker()
    const [, file = ''] = /^(\w+)_CREDENTIAL$/.exec(wanted) ?? []
    const declaration = declarations.get(`${file.toLowerCase()}.json`)
    if (declaration === undefined) return {}
    if (!declared.has(wanted)) {
      const sourceId = await shop.createSource(declaration)
      declared.set(wanted, (await shop.connect({ source_id: sourceId })).credential)
    }
    return { [wanted]: declared.get(wanted)! }
  }

  return {
    ...withNothing(url),
    getValue: async (wanted) => {
      if (!values.has(wanted)) {
        for (const [each, value] of Object.entries(await make(wanted))) values.set(each, value)
      }
      return values.get(wanted)
    },
    settle: () => waitUntilParsed(shop),
    allow: (authorizeUrl) => allowApp(url, authorizeUrl, reader),
  }
}

const withNothing = (url: string): Scene => ({
  url,
  environment: {},
  getValue: async () => undefined,
  settle: async () => {},
  allow: () => Promise.reject(new Error('this scene has no one who could sign')),
  [Symbol.asyncDispose]: async () => {},
})

/** A service on an empty database of its own, with the environment that the operator's commands read. */
const openOperatorScene = async (): Promise<Scene> => {
  const database = await createDatabase(inject('acceptanceCluster').server)
  const settings = {
    ...readersEnvironment,
    DATABASE_URL: database.url,
    NUMERA_MASTER_KEY: randomBytes(32).toString('hex'),
  }
  const service = await startService({ words: ['serve'], environment: settings })
  const environment = Object.entries(service.environment).filter(([name]) =>
    /^(?:NUMERA_|DATABASE_URL$|NODE_COMPILE_CACHE$)/.test(name),
  )
  return {
    ...withNothing(service.url),
    environment: Object.fromEntries(environment),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Opens the scene of a page. */
export const openScene = async (name: SceneName, options: SceneOptions): Promise<Scene> => {
  switch (name) {
    case 'none':
      return withNothing(options.url)
    case 'operator':
      return openOperatorScene()
    default:
      return openCompanyScene(name, await openCompany(options))
  }
}

/**
 * Opens the scene of a reader who reads all pages with one company. Pages about pushes, reads and apps share a source; the
 * one about webhooks needs a source of its own.
 */
export const openWalk = async (
  options: SceneOptions,
): Promise<(name: Exclude<SceneName, 'operator'>) => Promise<Scene>> => {
  const company = await openCompany(options)
  const scenes = new Map<SceneName, Promise<Scene>>()
  return async (name) => {
    if (name === 'none') return withNothing(options.url)
    const shared = name === 'app' ? 'events' : name
    const scene = scenes.get(shared) ?? openCompanyScene(shared, company)
    scenes.set(shared, scene)
    return scene
  }
}
