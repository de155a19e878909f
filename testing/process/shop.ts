import { approve, type ConsoleClient, type Person, signIn } from './console-client.ts'
import { type Company, type CompanyOptions, provideCompany, ownerNumber } from './company.ts'
import type { Service } from './start-service.ts'

export const owner: Person = { personalNumber: ownerNumber, name: 'Olivia Ägare' }

/** The fields of a shop. */
const shopFields = [
  { name: 'at', type: 'timestamp', personal: false },
  { name: 'amount', type: 'number', personal: false },
  { name: 'country', type: 'text', personal: false },
  { name: 'customer', type: 'text', personal: true },
]

const metric = (options: object) => ({ filters: [], group_by: [], period: 'day', ...options })

/** Revenue: the sum of `amount`. */
export const revenue = (options: object = {}) =>
  metric({ metric: 'revenue', aggregation: 'sum', field: 'amount', ...options })

/** Active users: the distinct customers. */
export const activeUsers = (options: object = {}) =>
  metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer', ...options })

export interface SourceOptions {
  name?: string
  channel?: 'push' | 'webhook'
  delivers?: 'events' | 'statements'
  fields?: object[]
  event_time?: string
  metrics?: object[]
}

let bodies = 0

/** The body that creates a source: by default, revenue by day under a unique name. */
export const sourceBody = (options: SourceOptions = {}) => ({
  name: `Shop ${++bodies}`,
  system_kind: 'web shop',
  delivers: 'events',
  fields: shopFields,
  event_time: 'at',
  metrics: [revenue()],
  ...options,
})

export interface ConnectionOptions {
  name?: string
  source_id?: string | null
  permissions?: string[]
  kind?: 'production' | 'sandbox'
  credential_kind?: 'client' | 'static'
  further_company_ids?: string[]
}

export interface Connection {
  connectionId: string
  clientId: string
  secret: string
  /** The static credential. */
  credential: string
}

/** A company with a signed-in owner, who acts by the console API. */
export interface Shop {
  url: string
  company: Company
  /** The owner's; a new one after `signInAgain`. */
  readonly browser: ConsoleClient
  /** Starts a new session of the owner. */
  signInAgain(): Promise<void>
  /** The path of the company's console API. */
  pages: string
  /** Creates a source, and gives its id. */
  createSource(options?: SourceOptions): Promise<string>
  /** Creates an unsigned connection. */
  createConnection(options?: ConnectionOptions): Promise<Connection>
  /** Signs a connection, and gives its client secret, if it has one. */
  sign(connectionId: string): Promise<string>
  /** Creates and signs a connection, by default with a static credential. */
  connect(options?: ConnectionOptions): Promise<Connection>
}

const expectStatus = <T extends { status: number; text: string }>(answer: T, status: number): T => {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

/** Signs in the owner of the cluster's company, or of a new one. */
export const openShop = async (service: Service, options: CompanyOptions = {}): Promise<Shop> =>
  openShopOf(service.url, await provideCompany(service, options))

/** Signs in the owner of a company. */
export const openShopOf = async (url: string, company: Company, person = owner): Promise<Shop> => {
  let browser = await signIn(url, person)
  const pages = `/console/companies/${company.companyId}`

  const createConnection: Shop['createConnection'] = async (connectionOptions = {}) => {
    const { body } = expectStatus(
      await browser.post(`${pages}/connections`, {
        name: 'Connection',
        source_id: null,
        permissions: ['sources.ingest', 'metrics.read'],
        kind: 'production',
        credential_kind: 'static',
        ...connectionOptions,
      }),
      201,
    )
    return {
      connectionId: body.connection.connection_id,
      clientId: body.connection.client_id,
      secret: '',
      credential: body.credential ?? '',
    }
  }

  const sign: Shop['sign'] = async (connectionId) => {
    const signing = `${pages}/connections/${connectionId}/sign`
    const { body: order } = expectStatus(await browser.post(signing), 200)
    await approve(url, order.presentation.open_url, person)
    const { body } = await browser.post(`${signing}/${order.order_id}/collect`)
    if (body.state !== 'complete') throw new Error(`the connection was not signed: ${JSON.stringify(body)}`)
    return body.secret ?? ''
  }

  return {
    url,
    company,
    get browser() {
      return browser
    },
    signInAgain: async () => {
      browser = await signIn(url, person)
    },
    pages,
    createSource: async (sourceOptions = {}) =>
      expectStatus(await browser.post(`${pages}/sources`, sourceBody(sourceOptions)), 201).body.source_id,
    createConnection,
    sign,
    connect: async (connectionOptions = {}) => {
      const made = await createConnection(connectionOptions)
      return { ...made, secret: await sign(made.connectionId) }
    },
  }
}
