import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approve } from '../../testing/process/console-client.ts'
import { call } from '../../testing/process/call.ts'
import { registerApp } from '../../testing/process/oauth-app.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { openShop, owner, type Shop } from '../../testing/process/shop.ts'
import { addAccount } from '../deployment/deployment.ts'
import { type Account, ledgerSource } from '../deployment/ledger.ts'

/** An operation of the API documents. */
export interface Operation {
  method: string
  /** With parameters in braces. */
  path: string
}

/** Addresses and credentials for the requests. */
export interface FuzzScene {
  url: string
  /** For known deliveries only. */
  known: Account
  /** For mutated deliveries. */
  pushed: Account
  webhook: Account
  /** A credential for every source of the company. */
  unbound: string
  clientId: string
  orgnr: string
  /** Another company, with its owner's session. */
  console: { operations: Operation[]; ids: Record<string, string>; headers: () => string[] }
  /** Signs in again. */
  renewSession(): Promise<void>
}

/** @returns the headers of a session: its cookies and CSRF token */
const signIn = async (url: string): Promise<string[]> => {
  const same = { origin: url, 'sec-fetch-site': 'same-origin' }
  const cookies: string[] = []
  const post = async (
    path: string,
  ): Promise<{ body: Record<string, never> & { [name: string]: unknown } }> => {
    const headers = { ...same, cookie: cookies.join('; ') }
    const answer = await call(`${url}${path}`, { method: 'POST', headers, body: {} })
    cookies.push(...answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]!))
    return answer
  }
  const { body: order } = await post('/console/sign-in')
  await approve(url, (order['presentation'] as unknown as { open_url: string }).open_url, owner)
  await post(`/console/sign-in/${String(order['order_id'])}/collect`)
  const cookie = cookies.filter((each) => !each.endsWith('=')).join('; ')
  const { body: session } = await call(`${url}/console/session`, { headers: { cookie } })
  return [`Cookie: ${cookie}`, `X-CSRF-Token: ${session.csrf_token}`]
}

const readOperations = async (document: 'numera' | 'console'): Promise<Operation[]> => {
  const file = join(import.meta.dirname, `../../openapi/${document}.json`)
  const { paths } = JSON.parse(await readFile(file, 'utf8')) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
}

const createIds = async (shop: Shop): Promise<Record<string, string>> => {
  const source = await shop.createSource()
  const { connectionId } = await shop.createConnection({ source_id: source })
  // Starts the thread that reads examples, so that the first of many requests does not delay the others.
  await shop.browser.post(`${shop.pages}/sources/example`, { text: 'at,amount\n2026-01-05,1\n' })
  return {
    company_id: shop.company.companyId,
    source_id: source,
    connection_id: connectionId,
    metric: 'revenue',
  }
}

export const openFuzzScene = async (service: Service): Promise<FuzzScene> => {
  const { url } = service
  const shop = await openShop(service)
  const known = await addAccount(shop, ledgerSource('push', 'Known'))
  const pushed = await addAccount(shop, ledgerSource('push', 'Pushed'))
  const webhook = await addAccount(shop, ledgerSource('webhook'))
  const unbound = await shop.connect()
  const { clientId } = await registerApp(url, 'http://localhost:9/callback')
  const other = await openShop(service, { orgnr: '559999-0024' })
  const ids = await createIds(other)
  let session = await signIn(url)
  const operations = await readOperations('console')
  return {
    url,
    known,
    pushed,
    webhook,
    clientId,
    unbound: unbound.credential,
    orgnr: shop.company.orgnr,
    console: {
      operations: operations.filter(({ path }) => path !== '/console/sign-out'),
      ids,
      headers: () => [...session, `Origin: ${url}`, 'Sec-Fetch-Site: same-origin'],
    },
    renewSession: async () => {
      session = await signIn(url)
    },
  }
}
