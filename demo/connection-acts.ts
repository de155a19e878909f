import type { CredentialKind, ServicePermission } from '../src/company/connections/connection.ts'
import { demoPeople } from '../src/people/identity/demo/demo-people.ts'
import type { IdentifiedPerson } from '../src/people/identity/identity-provider.ts'
import { callDemo, completeOrder, openDemoBrowser } from './demo-browser.ts'
import type { DemoAct, DemoInMaking, DemoSourceName } from './demo-scene.ts'
import { daysOfExpired, formerDeveloper } from './member-acts.ts'

interface WantedConnection {
  name: string
  maker: IdentifiedPerson
  /** Left out: bound to none, and acting on the second company as well. */
  source?: DemoSourceName
  permissions: ServicePermission[]
  kind?: 'production' | 'sandbox'
  credentialKind: CredentialKind
  signed?: false
}

interface Connection {
  connectionId: string
  /** With a static credential. */
  credential: string | undefined
  /** With client credentials, once it is signed. */
  client: { id: string; secret: string } | undefined
}

/** The days before its end on which a connection is found that is about to end. */
export const daysBeforeEnd = 12

function connectionsPath({ companies }: DemoInMaking): string {
  return `/console/companies/${companies.ekeby.companyId}/connections`
}

/** On the first company's page of connections: made, and signed with the demo's electronic identity. */
async function createConnection(demo: DemoInMaking, wanted: WantedConnection): Promise<Connection> {
  const { companies, sources, url } = demo
  const maker = await openDemoBrowser(url, wanted.maker)
  const path = connectionsPath(demo)
  const made = await maker.send<{
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
  const { connection_id: connectionId, client_id: id } = made.connection
  if (wanted.signed === false) return { connectionId, credential: made.credential, client: undefined }
  const { secret } = await completeOrder<{ secret?: string }>(url, maker, `${path}/${connectionId}/sign`)
  const client = id === null || secret === undefined ? undefined : { id, secret }
  return { connectionId, credential: made.credential, client }
}

/** Reads as a program does that exchanges its secret for a token first. */
async function readWithClient(demo: DemoInMaking, { client }: Connection, query: string): Promise<void> {
  const { access_token: token } = await callDemo<{ access_token: string }>(`${demo.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client!.id}:${client!.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  await callDemo(`${demo.url}/v1/samples?${query}`, { headers: { authorization: `Bearer ${token}` } })
}

/** What a developer sends who tries a new version of the web shop: today's date and amounts that nobody sells for. */
async function pushTest(demo: DemoInMaking, { credential }: Connection, key: string): Promise<void> {
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

type Use = (demo: DemoInMaking, connection: Connection) => Promise<void>

/** Connections by their names, as acts that make one and acts that do something with it later. */
class Connections {
  readonly #made = new Map<string, Connection>()

  make(daysAgo: number, at: string, wanted: WantedConnection): DemoAct {
    const run = async (demo: DemoInMaking): Promise<void> => {
      this.#made.set(wanted.name, await createConnection(demo, wanted))
    }
    return { daysAgo, at, run }
  }

  use(name: string, daysAgo: number, at: string, run: Use): DemoAct {
    return { daysAgo, at, run: (demo) => run(demo, this.#made.get(name)!) }
  }
}

const { owner, developer } = demoPeople

/** One that is expired, one that is about to, one whose maker is gone, and one that was revoked. */
function endingActs(connections: Connections, today: Temporal.PlainDate): DemoAct[] {
  const signed = today.add({ days: daysBeforeEnd }).subtract({ years: 1 })
  return [
    connections.make(daysOfExpired(today), '08:50', {
      name: 'Old web shop',
      maker: formerDeveloper,
      source: 'shop',
      permissions: ['sources.ingest'],
      credentialKind: 'static',
    }),
    connections.make(signed.until(today, { largestUnit: 'days' }).days, '10:05', {
      name: 'Month-end report',
      maker: developer,
      source: 'ledger',
      permissions: ['metrics.read'],
      credentialKind: 'client',
    }),
    connections.use('Month-end report', 21, '07:30', (demo, connection) =>
      readWithClient(demo, connection, ''),
    ),
    connections.make(200, '13:10', {
      name: 'Stock planning',
      maker: formerDeveloper,
      source: 'wholesale',
      permissions: ['metrics.read'],
      credentialKind: 'client',
    }),
    connections.use('Stock planning', 1, '06:00', (demo, connection) => readWithClient(demo, connection, '')),
    connections.make(80, '14:45', {
      name: 'Agency dashboard',
      maker: developer,
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

/** One that is bound to no source and reads a further company, one in the middle of a rotation, one that nobody signed. */
function openActs(connections: Connections): DemoAct[] {
  return [
    connections.make(90, '09:20', {
      name: 'Group reporting',
      maker: owner,
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
    connections.make(70, '15:30', {
      name: 'Warehouse screen',
      maker: developer,
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
    connections.make(2, '16:40', {
      name: 'Campaign site',
      maker: developer,
      source: 'shop',
      permissions: ['sources.ingest'],
      credentialKind: 'client',
      signed: false,
    }),
  ]
}

/** A sandbox connection, and what it sent. */
function sandboxActs(connections: Connections, today: Temporal.PlainDate): DemoAct[] {
  const name = 'Web shop, test'
  return [
    connections.make(14, '13:00', {
      name,
      maker: developer,
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

/**
 * A connection in every state that one can be in, at the first company. Plain ones, with which its systems push, are
 * there besides (`make-demo.ts`).
 */
export function connectionActs(today: Temporal.PlainDate): DemoAct[] {
  const connections = new Connections()
  return [...endingActs(connections, today), ...openActs(connections), ...sandboxActs(connections, today)]
}
