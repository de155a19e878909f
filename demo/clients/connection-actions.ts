import { demoPeople } from '../../src/people/identity/demo/demo-people.ts'
import { callDemo, completeOrder, openDemoBrowser } from './demo-browser.ts'
import type { DemoAction, DemoInProgress, DemoSourceName } from './demo-scene.ts'
import { daysOfExpired, formerDeveloper } from './member-actions.ts'

interface WantedConnection {
  name: string
  creator: { personalNumber: string; name: string }
  /** Without one it also acts on the second company. */
  source?: DemoSourceName
  permissions: ('sources.ingest' | 'metrics.read')[]
  kind?: 'production' | 'sandbox'
  credentialKind: 'static' | 'client'
  signed?: false
}

interface Connection {
  connectionId: string
  /** With a static credential. */
  credential: string | undefined
  /** With client credentials, once it is signed. */
  client: { id: string; secret: string } | undefined
}

/** How many days one of the connections is still valid. */
const daysBeforeEnd = 12

function connectionsPath({ companies }: DemoInProgress): string {
  return `/console/companies/${companies.ekeby.companyId}/connections`
}

/** Creates a connection of the first company, and signs it with the demo identity. */
async function createConnection(demo: DemoInProgress, wanted: WantedConnection): Promise<Connection> {
  const { companies, sources, url } = demo
  const creator = await openDemoBrowser(url, wanted.creator)
  const path = connectionsPath(demo)
  const created = await creator.send<{
    connection: { connection_id: string; client_id: string | null }
    credential?: string
  }>('POST', path, {
    name: wanted.name,
    source_id: wanted.source === undefined ? null : sources[wanted.source].sourceId,
    permissions: wanted.permissions,
    kind: wanted.kind ?? 'production',
    credential_kind: wanted.credentialKind,
    ...(wanted.source === undefined ? { further_company_ids: [companies.norrsken.companyId] } : {}),
  })
  const { connection_id: connectionId, client_id: id } = created.connection
  if (wanted.signed === false) return { connectionId, credential: created.credential, client: undefined }
  const { secret } = await completeOrder<{ secret?: string }>(url, creator, `${path}/${connectionId}/sign`)
  const client = id === null || secret === undefined ? undefined : { id, secret }
  return { connectionId, credential: created.credential, client }
}

/** Exchanges the client's secret for a token, and reads with it. */
async function readWithClient(demo: DemoInProgress, { client }: Connection, query: string): Promise<void> {
  const { access_token: token } = await callDemo<{ access_token: string }>(`${demo.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client!.id}:${client!.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  await callDemo(`${demo.url}/v1/samples?${query}`, { headers: { authorization: `Bearer ${token}` } })
}

/** Pushes what a developer trying out a new version of the web shop would. */
async function pushTest(demo: DemoInProgress, { credential }: Connection, key: string): Promise<void> {
  const at = new Date(demo.clock.now()).toISOString()
  await callDemo(`${demo.url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      idempotency_key: key,
      shape_version: 1,
      payload: [
        { at, order: `${key}-1`, quantity: '1', unit_price: '1.00', country: 'SE', customer: 'test-1' },
        { at, order: `${key}-2`, quantity: '2', unit_price: '12345.67', country: 'DK', customer: 'test-2' },
        { at, order: `${key}-3`, quantity: '-1', unit_price: '1.00', country: 'SE', customer: 'test-1' },
      ],
    }),
  })
}

type Use = (demo: DemoInProgress, connection: Connection) => Promise<void>

/** Actions that create connections, and that use them later by name. */
class Connections {
  readonly #created = new Map<string, Connection>()

  create(daysAgo: number, at: string, wanted: WantedConnection): DemoAction {
    const run = async (demo: DemoInProgress): Promise<void> => {
      this.#created.set(wanted.name, await createConnection(demo, wanted))
    }
    return { daysAgo, at, run }
  }

  use(name: string, daysAgo: number, at: string, run: Use): DemoAction {
    return { daysAgo, at, run: (demo) => run(demo, this.#created.get(name)!) }
  }
}

const { owner, developer } = demoPeople

/** One expired, one about to expire, one whose creator has left, and one revoked. */
function endingActions(connections: Connections, today: Temporal.PlainDate): DemoAction[] {
  const signed = today.add({ days: daysBeforeEnd }).subtract({ years: 1 })
  return [
    connections.create(daysOfExpired(today), '08:50', {
      name: 'Old web shop',
      creator: formerDeveloper,
      source: 'shop',
      permissions: ['sources.ingest'],
      credentialKind: 'static',
    }),
    connections.create(signed.until(today, { largestUnit: 'days' }).days, '10:05', {
      name: 'Month-end report',
      creator: developer,
      source: 'ledger',
      permissions: ['metrics.read'],
      credentialKind: 'client',
    }),
    connections.use('Month-end report', 21, '07:30', (demo, connection) =>
      readWithClient(demo, connection, ''),
    ),
    connections.create(200, '13:10', {
      name: 'Stock planning',
      creator: formerDeveloper,
      source: 'wholesale',
      permissions: ['metrics.read'],
      credentialKind: 'client',
    }),
    connections.use('Stock planning', 1, '06:00', (demo, connection) => readWithClient(demo, connection, '')),
    connections.create(80, '14:45', {
      name: 'Agency dashboard',
      creator: developer,
      source: 'shop',
      permissions: ['metrics.read'],
      credentialKind: 'static',
    }),
    connections.use('Agency dashboard', 40, '11:00', async (demo, { connectionId }) => {
      const browser = await openDemoBrowser(demo.url, owner)
      await browser.send('POST', `${connectionsPath(demo)}/${connectionId}/revoke`, {})
    }),
  ]
}

/** One without a source that reads a further company, one in the middle of a rotation, and an unsigned one. */
function openActions(connections: Connections): DemoAction[] {
  return [
    connections.create(90, '09:20', {
      name: 'Group reporting',
      creator: owner,
      permissions: ['metrics.read'],
      credentialKind: 'client',
    }),
    connections.use('Group reporting', 1, '05:30', async (demo, connection) => {
      for (const { company, source } of [
        { company: demo.companies.ekeby, source: demo.sources.ledger },
        { company: demo.companies.norrsken, source: demo.sources.bookkeeping },
      ]) {
        await readWithClient(demo, connection, `orgnr=${company.orgnr}&source_id=${source.sourceId}`)
      }
    }),
    connections.create(70, '15:30', {
      name: 'Warehouse screen',
      creator: developer,
      source: 'shop',
      permissions: ['metrics.read'],
      credentialKind: 'static',
    }),
    connections.use('Warehouse screen', 1, '15:10', async (demo, { connectionId, credential }) => {
      const authorization = `Bearer ${credential}`
      await callDemo(`${demo.url}/v1/samples`, { headers: { authorization } })
      const browser = await openDemoBrowser(demo.url, developer)
      // The longest overlap, so that a demo shows it for days.
      const overlap = { overlap_hours: 168 }
      await browser.send('POST', `${connectionsPath(demo)}/${connectionId}/rotate`, overlap)
    }),
    connections.create(2, '16:40', {
      name: 'Campaign site',
      creator: developer,
      source: 'shop',
      permissions: ['sources.ingest'],
      credentialKind: 'client',
      signed: false,
    }),
  ]
}

/** A sandbox connection, and what it sent. */
function sandboxActions(connections: Connections, today: Temporal.PlainDate): DemoAction[] {
  const name = 'Web shop, test'
  return [
    connections.create(14, '13:00', {
      name,
      creator: developer,
      source: 'shop',
      permissions: ['sources.ingest', 'metrics.read'],
      kind: 'sandbox',
      credentialKind: 'static',
    }),
    ...[14, 9, 1].map((daysAgo) =>
      connections.use(name, daysAgo, '14:20', (demo, connection) =>
        pushTest(demo, connection, `test-${today.subtract({ days: daysAgo })}`),
      ),
    ),
  ]
}

/** A connection in every state, at the first company. Those with which its systems push come from `create-demo.ts`. */
export function connectionActions(today: Temporal.PlainDate): DemoAction[] {
  const connections = new Connections()
  return [
    ...endingActions(connections, today),
    ...openActions(connections),
    ...sandboxActions(connections, today),
  ]
}
