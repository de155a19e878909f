import { approve, type Browser, type Person, signIn } from './browser.ts'
import { type Company, type CompanyOptions, makeCompany, ownerNumber } from './setup.ts'
import type { Service } from './service.ts'

export const owner: Person = { personalNumber: ownerNumber, name: 'Olivia Ägare' }

/** What a shop sends: `at`, `amount`, `country`, and `customer`, which is personal. */
export const shopFields = [
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
  delivery_way?: 'push' | 'webhook'
  delivers?: 'events' | 'statements'
  fields?: object[]
  event_time?: string
  metrics?: object[]
}

let bodies = 0

/** The body that makes a source: revenue by day, under a name that no other has, unless told otherwise. */
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

/** A company whose owner has signed in, and what the owner does on its pages. */
export interface Shop {
  url: string
  company: Company
  /** The owner's; a new one after `signInAgain`. */
  readonly browser: Browser
  /** The owner signs in anew, as after the session has ended. */
  signInAgain(): Promise<void>
  /** The company's pages. */
  pages: string
  /** Gives the source's id. */
  makeSource(options?: SourceOptions): Promise<string>
  /** Makes a connection and leaves it unsigned. */
  makeConnection(options?: ConnectionOptions): Promise<Connection>
  /** The owner signs a connection; gives the client secret, where there is one. */
  sign(connectionId: string): Promise<string>
  /** Makes a connection, static unless told, and signs it. */
  connect(options?: ConnectionOptions): Promise<Connection>
}

const expectStatus = <T extends { status: number; text: string }>(answer: T, status: number): T => {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

/** Makes a company, or takes the one that is there, and signs its owner in. */
export const openShop = async (service: Service, options: CompanyOptions = {}): Promise<Shop> =>
  openShopOf(service.url, await makeCompany(service, options))

/** Signs the owner of a company in: the tests' own, unless told. */
export const openShopOf = async (url: string, company: Company, person = owner): Promise<Shop> => {
  let browser = await signIn(url, person)
  const pages = `/console/companies/${company.companyId}`

  const makeConnection: Shop['makeConnection'] = async (connectionOptions = {}) => {
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
    if (body.state !== 'complete') throw new Error(`it was not signed: ${JSON.stringify(body)}`)
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
    makeSource: async (sourceOptions = {}) =>
      expectStatus(await browser.post(`${pages}/sources`, sourceBody(sourceOptions)), 201).body.source_id,
    makeConnection,
    sign,
    connect: async (connectionOptions = {}) => {
      const made = await makeConnection(connectionOptions)
      return { ...made, secret: await sign(made.connectionId) }
    },
  }
}
