import { beforeEach, expect } from 'vitest'
import type { Company } from '../../../src/people/companies/company.ts'
import { hashSecret } from '../../../src/platform/keys/secrets.ts'
import { signInConsole, type ConsoleClient } from '../console-client.ts'
import {
  approveDemoOrder,
  seedApp,
  seedCompany,
  seedMember,
  type SeededApp,
  type SeededMember,
} from '../seed.ts'
import { startTestService } from '../test-service.ts'

export const dayMs = 24 * 60 * 60_000
export const begin = '2026-01-15T12:00:00Z'
export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
/** A server for which the deployment issues tokens too. */
export const tools = 'https://tools.example.net/mcp'

export const everything = { permissions: ['company.read', 'metrics.read'], companies: { every: true } }

/** A browser with a session, on the page of a consent. */
interface Page {
  browser: ConsoleClient
  /** `post('sign', {…})`, with the CSRF token of the session. */
  post(step: string, body: object): ReturnType<ConsoleClient['post']>
}

/** Parameters of the authorization request that differ from the usual ones; undefined omits one. */
type Changes = Record<string, string | undefined>

interface Ticks {
  permissions?: string[]
  companies?: { every: boolean; company_ids?: string[] }
}

export interface AppConnectionRow {
  connection_id: string
  permissions: string[]
  every_company: boolean
  resources: string[]
  expires_at: Date
  ended_at: Date | null
  ended_by: string | null
  companies: string[]
  consents: number
}

/** Ticks these companies only. */
export const choosing = (...companies: Company[]) => ({
  companies: { every: false, company_ids: companies.map(({ companyId }) => companyId) },
})

/**
 * A member of a bakery and a mill, and an app that requests consent; new ones for each test. To be called while the file is
 * read, at its top.
 */
export const startConsentScene = async () => {
  const { database, context, app } = await startTestService({
    environment: { NUMERA_OAUTH_RESOURCES: tools },
  })
  /** Set for each test. */
  const scene = {
    client: undefined as unknown as SeededApp,
    bakery: undefined as unknown as Company,
    mill: undefined as unknown as Company,
    member: undefined as unknown as SeededMember,
    page: undefined as unknown as Page,
  }
  const openPage = async (person: { personalNumber: string; name: string }): Promise<Page> => {
    const browser = await signInConsole(app, context, person)
    const { csrf_token: token } = (await browser.get('/console/session')).body
    return {
      browser,
      post: (step, body) =>
        browser.post(`/console/authorize${step && `/${step}`}`, body, { 'x-csrf-token': token }),
    }
  }

  const toQuery = (changes: Changes = {}): string => {
    const all: Changes = {
      response_type: 'code',
      client_id: scene.client.clientId,
      redirect_uri: scene.client.redirectUri,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      state: 'a b&c',
      ...changes,
    }
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return `?${new URLSearchParams(given)}`
  }

  const readPage = async (changes: Changes = {}, on = scene.page) =>
    (await on.post('', { query: toQuery(changes) })).body

  const startSigning = async (changes: Changes = {}, ticks: Ticks = {}, on = scene.page) =>
    (await on.post('sign', { query: toQuery(changes), ...everything, ...ticks })).body

  const collect = async (orderId: string, changes: Changes = {}, on = scene.page) =>
    on.post(`sign/${orderId}/collect`, { query: toQuery(changes) })

  const approve = (order: { presentation: { open_url: string } }, person = scene.member) =>
    approveDemoOrder(context, order.presentation.open_url, person)

  /** Ticks and signs. @returns the address to which the browser is sent */
  const allow = async (changes: Changes = {}, ticks: Ticks = {}) => {
    const order = await startSigning(changes, ticks)
    if (order.state !== 'signing') throw new Error(JSON.stringify(order))
    await approve(order)
    const { body } = await collect(order.order_id, changes)
    if (body.state !== 'complete') throw new Error(JSON.stringify(body))
    return new URL(body.location)
  }

  /** The connections of the app and the member, oldest first, ended ones included. */
  const readConnections = async () =>
    (
      await database.pool.query<AppConnectionRow>(
        `select connection_id, permissions, every_company, resources, expires_at, ended_at, ended_by,
         array(
           select company_id::text from app_connection_companies chosen
           where chosen.connection_id = app_connections.connection_id
           order by company_id
         ) as companies,
         (select count(*)::integer from consents where consents.connection_id = app_connections.connection_id)
           as consents
       from app_connections where client_id = $1 and member_id = $2
       order by connection_id`,
        [scene.client.clientId, scene.member.memberId],
      )
    ).rows

  const readCode = async (location: URL) => {
    const { rows } = await database.pool.query(
      `select connection_id, client_id, redirect_uri, code_challenge, permissions, resources, issued_at, expires_at,
       used_at
     from authorization_codes where code_hash = $1`,
      [hashSecret(location.searchParams.get('code')!)],
    )
    return rows[0]
  }

  const endAccess = async () => {
    const connectionId = (await readConnections()).at(-1)!.connection_id
    const { csrf_token: token } = (await scene.page.browser.get('/console/session')).body
    const end = `/console/apps/${connectionId}/end`
    expect((await scene.page.browser.post(end, {}, { 'x-csrf-token': token })).status).toBe(200)
  }

  const expectCode = (location: URL | string): void => {
    const url = new URL(location)
    expect(`${url.origin}${url.pathname}`).toBe(scene.client.redirectUri)
    expect([...url.searchParams]).toEqual([
      ['code', expect.stringMatching(/^nac_[0-9A-Za-z]{43}$/)],
      ['state', 'a b&c'],
      ['iss', context.config.baseUrl],
    ])
  }

  const expectDenied = (location: string): void => {
    expect([...new URL(location).searchParams]).toEqual([
      ['error', 'access_denied'],
      ['error_description', expect.stringMatching(/^[A-Z].*\.$/)],
      ['state', 'a b&c'],
      ['iss', context.config.baseUrl],
    ])
  }

  beforeEach(async () => {
    context.clock.set(begin)
    await database.pool.query('delete from rate_buckets')
    const { company, owner } = await seedCompany(context)
    scene.bakery = company
    scene.member = owner
    scene.mill = (await seedCompany(context, { name: 'Kvarnen AB' })).company
    await seedMember(context, scene.mill.companyId, { ...owner, role: 'reader' })
    scene.client = await seedApp(context)
    scene.page = await openPage(owner)
  })
  return Object.assign(scene, {
    database,
    context,
    app,
    openPage,
    toQuery,
    readPage,
    startSigning,
    collect,
    approve,
    allow,
    readConnections,
    readCode,
    endAccess,
    expectCode,
    expectDenied,
  })
}
