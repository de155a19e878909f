import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { authorization, exchange, registerApp } from '../process/oauth-app.ts'
import { type Person, signIn } from '../process/console-client.ts'
import { call } from '../process/call.ts'
import { openConsent, signConsent } from '../process/consent.ts'
import { push, waitUntilRead } from '../process/numera-api.ts'
import { createDatabase } from '../process/create-database.ts'
import { type Service, startService } from '../process/start-service.ts'
import { activeUsers, openShopOf, owner, revenue, type Shop } from '../process/shop.ts'
import { saveSource } from '../process/save-source.ts'

/** The users of the pages; `newcomer` belongs to no company, `soleTrader` only to their own. */
export const people = {
  owner,
  developer: { personalNumber: '199001012385', name: 'Disa Utvecklare' },
  reader: { personalNumber: '198112189876', name: 'Lena Läsare' },
  newcomer: { personalNumber: '197802022389', name: 'Frida Främling' },
  soleTrader: { personalNumber: '189001039826', name: 'Linnea Lindqvist' },
} satisfies Record<string, Person>
export type Role = keyof typeof people

/** A demo with everything that its pages can show. */
export interface PagesScene extends AsyncDisposable {
  url: string
  /** The paths of the demo's company, of one without data, and of one that only the owner belongs to. */
  company: string
  emptyCompany: string
  foreignCompany: string
  sources: Record<'shop' | 'ledger' | 'first' | 'till' | 'returns', string>
  connections: Record<'rotated' | 'made', string>
  deliveries: Record<'refused' | 'statement' | 'test', string>
  /** The credential of the production connection that the demo prints. */
  productionCredential: string
  /** A moment before the ledger's month before last was restated. */
  asOf: string
  /** The path of an invitation. */
  invitation: string
  /** The authorization URL of an app without access. */
  authorizeUrl: string
}

/** The credential for "First steps", once the demo has printed it. */
async function printedCredential(service: Service): Promise<string> {
  for (let attempt = 0; attempt < 1_800; attempt++) {
    const text = service.output()
    if (text.includes('Press Ctrl-C to stop')) return /Bearer (nsk_\w+)/.exec(text)![1]!
    if (service.process().exitCode !== null) break
    await sleep(100)
  }
  throw new Error(`the demo printed no first steps: ${service.output()}`)
}

/** Pushes events with rows that are refused, and makes calls that are refused. */
async function pushRefused(url: string, credential: string): Promise<string> {
  const at = new Date().toISOString()
  const { artifact_id } = await push(url, credential, 'order-batch-20931', [
    { at, amount: '349.00', country: 'SE', coupon: 'x' },
    { at, amount: '1 249,00', country: 'SE' },
    { at: at.slice(0, 10), amount: '89.00', country: 'FI' },
    { at: at.slice(0, 16).replace('T', ' '), amount: '59.00', country: 'NO' },
  ])
  const refused = (body: object) => call(`${url}/v1/ingest`, { method: 'POST', credential, body })
  await refused({ idempotency_key: 'order-batch-20931', shape_version: 1, payload: [] })
  await refused({ idempotency_key: 'order-batch-20932', shape_version: 99, payload: [] })
  await waitUntilRead(url, credential, artifact_id)
  return artifact_id
}

/** The first day of the month before last, which the ledger restates. */
const restatedDay = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1)).toISOString().slice(0, 10)
}

async function restate(url: string, credential: string): Promise<string> {
  const booked = restatedDay()
  const { artifact_id } = await push(url, credential, `ledger-${booked.slice(0, 7)}-again`, [
    { booked, account: '3001', amount: '298111.75' },
    { booked, account: '3051', amount: '41318.50' },
    { booked, account: '4010', amount: '-18250.00' },
  ])
  await waitUntilRead(url, credential, artifact_id)
  return artifact_id
}

async function addPeople({ url, browser, pages }: Shop): Promise<string> {
  for (const role of ['developer', 'reader'] as const) {
    const { personalNumber } = people[role]
    await browser.post(`${pages}/members`, { personal_number: personalNumber, role })
    await (await signIn(url, people[role])).get(pages)
  }
  const auditor = { personal_number: '189001019802', role: 'reader', label: 'The auditor' }
  await browser.post(`${pages}/members`, auditor)
  const { body } = await browser.post(`${pages}/invitations`, { role: 'developer', label: 'The web agency' })
  const { pathname, hash } = new URL(body.link)
  return pathname + hash
}

/** Creates a webhook source during a rotation, a paused source, and a second version of "First steps". */
async function addSources({ browser, pages, createSource }: Shop): Promise<PagesScene['sources']> {
  const till = await createSource({
    name: 'Kista store',
    channel: 'webhook',
    metrics: [revenue({ group_by: ['country'] })],
  })
  await browser.post(`${pages}/sources/${till}/rotate-signing-secret`)
  const returns = await createSource({ name: 'Kista returns' })
  await browser.post(`${pages}/sources/${returns}/pause`, { reason: 'moving to another till' })
  const { body } = await browser.get(`${pages}/sources`)
  const named = (wanted: string): string =>
    body.sources.find(({ name }: { name: string }) => name === wanted).source_id
  const first = named('First steps')
  await saveSource(browser, `${pages}/sources/${first}`, {
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'number', personal: false },
      { name: 'country', type: 'text', personal: false },
      { name: 'customer', type: 'text', personal: true },
    ],
    event_time: 'at',
    metrics: [revenue({ group_by: ['country'] }), activeUsers()],
    delivers: 'events',
  })
  return { shop: named('Web shop'), ledger: named('Ledger'), first, till, returns }
}

/** Creates a connection in each state; the ledger's and the sandbox one push a delivery. */
async function connect(shop: Shop, sources: PagesScene['sources']) {
  const { url, browser, pages } = shop
  const rotated = await shop.connect({
    name: 'Group report',
    source_id: sources.shop,
    permissions: ['metrics.read'],
    credential_kind: 'client',
  })
  await browser.post(`${pages}/connections/${rotated.connectionId}/rotate`, { overlap_hours: 48 })
  const made = await shop.createConnection({ name: 'Marketplace weekly', source_id: sources.first })
  const old = await shop.connect({ name: 'Old till', source_id: sources.returns })
  await browser.post(`${pages}/connections/${old.connectionId}/revoke`)
  const sandbox = await shop.connect({ name: 'Trying out', source_id: sources.shop, kind: 'sandbox' })
  const at = new Date().toISOString()
  const { artifact_id: test } = await push(url, sandbox.credential, 'try-1', [
    { at, order: '1', quantity: '2', unit_price: '39.00', country: 'SE', customer: 'c-1' },
  ])
  const ledger = await shop.connect({ name: 'Ledger nightly', source_id: sources.ledger })
  const asOf = new Date().toISOString()
  await sleep(1_000)
  const statement = await restate(url, ledger.credential)
  return {
    connections: { rotated: rotated.connectionId, made: made.connectionId },
    deliveries: { statement, test },
    asOf,
  }
}

/** Lets an app read what the owner allowed, and gives the authorization URL of another app. */
async function connectApps({ url, browser, company }: Shop): Promise<string> {
  const reading = await registerApp(url, 'https://ledger-insight.example/callback')
  const request = authorization(url, reading)
  const back = await signConsent(url, await openConsent(request.url, browser), owner, {
    companies: { every: false, company_ids: [company.companyId] },
  })
  const { body } = await exchange(url, reading, back.searchParams.get('code')!, request.codeVerifier)
  const credential: string = body.access_token
  await call(`${url}/v1/companies`, { credential })
  await call(`${url}/v1/sources?orgnr=${company.orgnr}`, { credential })
  await call(`${url}/v1/samples?orgnr=559999-0024`, { credential })
  const asking = await registerApp(url, 'https://kvartal.example/back', 'Kvartalsrapporten')
  return authorization(url, asking).url.href
}

const demoOrgnr = '559999-0016'
const manyARate = '10000'

export const startPagesScene = async (): Promise<PagesScene> => {
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(await createDatabase(inject('acceptanceCluster').server))
    const service = stack.use(
      await startService({
        words: ['demo'],
        environment: {
          DATABASE_URL: database.url,
          NUMERA_MASTER_KEY: randomBytes(32).toString('hex'),
          NUMERA_RATE_PER_MINUTE: manyARate,
          NUMERA_RATE_BURST: manyARate,
          NUMERA_OAUTH_RATE_PER_MINUTE: manyARate,
          NUMERA_OAUTH_RATE_BURST: manyARate,
          NUMERA_WRITE_RATE_BURST: manyARate,
        },
      }),
    )
    const { url } = service
    const credential = await printedCredential(service)
    const { body: session } = await (await signIn(url, owner)).get('/console/session')
    const findId = (orgnr: string): string =>
      session.companies.find((each: { orgnr: string }) => each.orgnr === orgnr).company_id
    const shop = await openShopOf(url, { companyId: findId(demoOrgnr), orgnr: demoOrgnr })
    const refused = await pushRefused(url, credential)
    const sources = await addSources(shop)
    const { connections, deliveries, asOf } = await connect(shop, sources)
    const { body: empty } = await shop.browser.post('/console/demo-companies', { name: 'Mitt eget AB' })
    await shop.browser.post(`/console/companies/${empty.company_id}/members`, {
      personal_number: people.reader.personalNumber,
      role: 'reader',
    })
    return {
      url,
      company: `/companies/${shop.company.companyId}`,
      emptyCompany: `/companies/${empty.company_id}`,
      foreignCompany: `/companies/${findId('559999-0024')}`,
      sources,
      connections,
      deliveries: { refused, ...deliveries },
      productionCredential: credential,
      asOf,
      invitation: await addPeople(shop),
      authorizeUrl: await connectApps(shop),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
