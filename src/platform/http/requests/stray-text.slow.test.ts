import { beforeAll, expect, test } from 'vitest'
import { pagelessOrigin } from '../../../people/identity/identity-provider.ts'
import { startSignIn } from '../../../people/identity/sign-in.ts'
import { createInvitation } from '../../../console/memberships/create-invitation.ts'
import { signInConsole } from '../../../../testing/in-process/console-client.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedConnection,
  seedSource,
} from '../../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import type { RouteEntry } from '../route-table.ts'

/*
 * What no stored text holds, and what no address decodes to, in each parameter of each address: walked over the app's
 * own table of routes, so that a route that is added is tried too.
 */
const nul = '%00'
const strays = [
  nul,
  'a%00b',
  `${'x'.repeat(3_000)}%00`,
  // A lone surrogate, bytes that are not UTF-8, half a character, U+FFFF.
  '%ED%A0%80',
  '%ff%fe',
  'a%e2%82',
  '%EF%BF%BF',
  // Not a percent-encoding.
  'a%zz',
  '%',
  '',
  'x'.repeat(6_000),
  '99999999999999999999',
  // Written as cursors are: NUL, something that is not a uuid, a number that is too large.
  Buffer.from('\0').toString('base64url'),
  Buffer.from('01a20070-b306-74d0-bca9-fc5bddf91e1\0').toString('base64url'),
  Buffer.from('9'.repeat(18)).toString('base64url'),
]
/** Tried on every address, whether it knows them or not. */
const anyNames = ['cursor', 'limit', 'metric', 'label.country', 'label.%00', 'search', nul, '%ff']

const { database, context, app } = await startTestService()

/** Values of all parameters that paths have. A route with another one fails below until it has a value here. */
let known: Record<string, string>
let appConnectionId: string
let bearers: string[]
let cookie: string
let csrfToken: string

beforeAll(async () => {
  const { company, owner } = await seedCompany(context)
  const { companyId } = company
  const { sourceId } = await seedSource(context, companyId)
  const made = await seedConnection(context, { company, owner })
  const appConnection = await seedAppConnection(context, { app: await seedApp(context), member: owner })
  const { artifactId } = await storeDelivery(database.pool, { companyId, sourceId }, [], { queued: false })
  const { invitation } = await createInvitation(context, owner, companyId, { role: 'reader' })
  const order = await startSignIn(context, pagelessOrigin)
  known = {
    company_id: companyId,
    source_id: sourceId,
    artifact_id: artifactId,
    member_id: owner.memberId,
    invitation_id: invitation.invitation_id,
    signature_id: made.connection.signatureId!,
    connection_id: made.connectionId,
    order_id: order.orderId,
    // Of these there are none.
    link_id: sourceId,
    note_id: sourceId,
    view_id: sourceId,
    file: `nrl_${'0'.repeat(43)}.csv`,
    reference: order.presentation.openUrl!.split('/').at(-1)!,
    metric: 'revenue',
    tab: 'metrics',
    '*': 'index.html',
  }
  appConnectionId = appConnection.connectionId
  bearers = [made.credential!, (await seedAppToken(context, appConnection)).accessToken]
  const browser = await signInConsole(app, context, owner)
  csrfToken = (await browser.get('/console/session')).body.csrf_token
  cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
})

const getParameters = (pattern: string): string[] => pattern.match(/\*|(?<=:)\w+/g) ?? []

/** The path of a route, one of whose parameters may be a stray. */
const toPath = (pattern: string, stray: Record<string, string> = {}): string =>
  pattern.replaceAll(/\*|:(\w+)/g, (all, name: string | undefined) => {
    const parameter = name ?? all
    if (parameter in stray) return stray[parameter]!
    if (parameter === 'connection_id' && pattern.startsWith('/console/apps/')) return appConnectionId
    const value = known[parameter]
    if (value === undefined) throw new Error(`no value of ${parameter} is known for ${pattern}`)
    return value
  })

/** Made with no real secret: it only has to be looked up. */
const signature = () => ({
  'service-signature': `t=${Math.floor(context.clock.now() / 1_000)},v1=${'0'.repeat(64)}`,
  'service-delivery-id': 'delivery',
})

const send = async ({ method, contract }: RouteEntry, url: string, bearer?: string) => {
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(contract?.guard === 'signature' ? signature() : {}),
      ...(contract?.guard === 'session' ? { cookie, 'x-csrf-token': csrfToken } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json', origin: 'http://localhost:8080' }),
    },
    ...(method === 'GET' ? {} : { payload: '{}' }),
  })
  return { status: answer.statusCode, text: answer.body }
}

const toCallers = ({ contract }: RouteEntry): (string | undefined)[] =>
  contract?.guard === 'bearer' ? bearers : [undefined]

const toQuery = ({ contract }: RouteEntry): string[] =>
  Object.keys((contract?.query as { properties?: object } | undefined)?.properties ?? {})

const reads = app.routes.entries.filter(({ method }) => method === 'GET')
const writes = app.routes.entries.filter(({ method }) => method !== 'HEAD' && method !== 'GET')

/** Sends each stray as `toUrl` puts it into an address of the route. Gives the answers that should not be. */
const findFaults = async (
  route: RouteEntry,
  toUrl: (stray: string, caller?: string) => string,
): Promise<string[]> => {
  const faults: string[] = []
  for (const caller of toCallers(route)) {
    // A call that is refused for its rate says nothing about what was sent.
    await database.pool.query('delete from rate_buckets')
    // A look is written, but has the parameters of a read.
    const isRead = route.method === 'GET' || route.pattern.endsWith('/look')
    // One after the other: of a few routes a company has one call at a time.
    for (const stray of strays) {
      // Without its last parameter the address of a write may be that of a list.
      if (stray === '' && !isRead) continue
      const url = toUrl(stray, caller)
      const { status, text } = await send(route, url, caller)
      // A caller that is not let in has tried nothing; and no write succeeds with such text.
      if (status >= 500 || status === 401 || status === 429 || (!isRead && status < 400)) {
        faults.push(`${route.method} ${url.replaceAll(/x{100,}/g, 'x…')}: ${status} ${text.slice(0, 100)}`)
      }
    }
  }
  return faults
}

test('no stray text in a query is a fault of the service, for any address and parameter', async () => {
  expect(reads.length).toBeGreaterThan(30)
  const faults: string[] = []
  for (const route of [...reads, ...writes.filter((write) => toQuery(write).length > 0)]) {
    for (const name of new Set([...toQuery(route), ...anyNames])) {
      // A call about one source names it, unless that is what is tried.
      const toSourceId = (caller?: string): string =>
        caller === undefined || name === 'source_id' ? '' : `source_id=${known['source_id']}&`
      const found = await findFaults(
        route,
        (stray, caller) => `${toPath(route.pattern)}?${toSourceId(caller)}${name}=${stray}`,
      )
      faults.push(...found)
    }
  }
  expect(faults).toEqual([])
})

test('no stray text in a path is a fault of the service, for any address and method', async () => {
  const faults: string[] = []
  for (const route of [...reads, ...writes]) {
    for (const parameter of getParameters(route.pattern)) {
      faults.push(...(await findFaults(route, (stray) => toPath(route.pattern, { [parameter]: stray }))))
    }
  }
  expect(faults).toEqual([])
})

test('a NUL in a parameter that a read knows is 400 with that field', async () => {
  const others: string[] = []
  for (const route of reads) {
    const guard = route.contract?.guard
    if (guard !== 'bearer' && guard !== 'session') continue
    await database.pool.query('delete from rate_buckets')
    const labels = route.pattern.startsWith('/v1/samples') ? ['label.country'] : []
    // `label` means the parameters `label.<name>`, and is none itself.
    for (const name of [...toQuery(route).filter((each) => each !== 'label'), ...labels]) {
      const needsSource = guard === 'bearer' && name !== 'source_id' && toQuery(route).includes('source_id')
      const source = needsSource ? `source_id=${known['source_id']}&` : ''
      // What is needed besides.
      const rest = Object.entries({
        metric: 'revenue',
        period_start: '2026-03-01',
        with: known['artifact_id']!,
        line: `${known['source_id']}.revenue`,
      })
        .filter(([other]) => other !== name && toQuery(route).includes(other))
        .map((pair) => `&${pair.join('=')}`)
        .join('')
      const [caller] = toCallers(route).toReversed()
      const url = `${toPath(route.pattern)}?${source}${name}=${nul}${rest}`
      const { status, text } = await send(route, url, caller)
      const { code, field } = JSON.parse(text) as { code?: string; field?: string }
      if (status !== 400 || code !== 'invalid_argument' || field !== name) {
        others.push(`${url}: ${status} ${text.slice(0, 100)}`)
      }
    }
  }
  expect(others).toEqual([])
})
