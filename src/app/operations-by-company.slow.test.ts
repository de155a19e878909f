import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeRole } from '../console/memberships/change-role.ts'
import { type Company } from '../people/companies/company.ts'
import { releaseConnection } from '../company/connections/release-connection.ts'
import { type Source } from '../company/sources/source.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedConnection,
  seedSource,
} from '../../testing/in-process/seed.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { startRoleScene, type Caller } from '../../testing/in-process/scenes/role-scene.ts'

/** Every operation of the API that takes a bearer, by connection and company. */
const { context, database, app, home, further, creator, people, seedPerson, seedFurtherConnection, digest } =
  await startRoleScene()

/** A company with a source and a delivery. */
interface Place {
  company: Company
  source: Source
  artifactId: string
}

const seedPlace = async (of: Company): Promise<Place> => {
  const { companyId } = of
  const made = await seedSource(context, companyId)
  const stored = await storeDelivery(database.pool, { companyId, sourceId: made.sourceId }, [], {
    queued: false,
  })
  return { company: of, source: made, artifactId: stored.artifactId }
}

/** An access token of an app that the caller allows these companies, or every one. */
const allowApp = async (caller: Caller, companyIds?: string[]): Promise<string> => {
  const allowed = await seedAppConnection(context, {
    app: await seedApp(context),
    member: people.get(caller)!,
    ...(companyIds === undefined ? {} : { companyIds }),
  })
  return (await seedAppToken(context, allowed)).accessToken
}

/** Gives the status of a tool's error, or of the call. */
const callTool = async (bearer: string, orgnr: string): Promise<number> => {
  const params = { name: 'list_sources', arguments: { orgnr } }
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return body.includes('not_found') ? 404 : statusCode
}

describe('the API’s operations, by connection and company', () => {
  let homePlace: Place
  let furtherPlace: Place
  beforeAll(async () => {
    homePlace = await seedPlace(home)
    furtherPlace = await seedPlace(further)
  })

  /** The company and source that a call names. */
  const places = () =>
    [
      ['home', homePlace, homePlace],
      ['further', furtherPlace, furtherPlace],
      ['further’s under home', homePlace, furtherPlace],
      ['home’s under further', furtherPlace, homePlace],
    ] as const

  /** What calls, and which of the two companies it acts on. */
  const credentials: {
    name: string
    kind: 'connection' | 'app'
    actsOn: 'home' | 'further' | 'both'
    create: () => Promise<string>
  }[] = [
    {
      name: 'a connection of the home company',
      kind: 'connection',
      actsOn: 'home',
      create: async () => (await seedConnection(context, { company: home, owner: creator })).credential!,
    },
    {
      name: 'a connection of the further company',
      kind: 'connection',
      actsOn: 'further',
      create: async () => (await seedConnection(context, { company: further, owner: creator })).credential!,
    },
    {
      name: 'one that acts on the further company too',
      kind: 'connection',
      actsOn: 'both',
      create: async () => (await seedFurtherConnection()).credential!,
    },
    {
      name: 'one that the further company was taken off',
      kind: 'connection',
      actsOn: 'home',
      create: async () => {
        const made = await seedFurtherConnection()
        await releaseConnection(context, people.get('further owner')!, further.companyId, made.connectionId)
        return made.credential!
      },
    },
    {
      name: 'one whose creator lost the further company',
      kind: 'connection',
      actsOn: 'home',
      create: async () => {
        const owner = await seedPerson([home, 'developer'], [further, 'developer'])
        const { companyId } = further
        const made = await seedConnection(context, { company: home, owner, furtherCompanyIds: [companyId] })
        await changeRole(context, 'operator', companyId, owner.memberId, 'reader')
        return made.credential!
      },
    },
    {
      name: 'an app that a reader of the home company allows every one of theirs',
      kind: 'app',
      actsOn: 'home',
      create: () => allowApp('home reader'),
    },
    {
      name: 'an app that a member of both allows the home company',
      kind: 'app',
      actsOn: 'home',
      create: () => allowApp('colleague', [home.companyId]),
    },
    {
      name: 'an app that a member of both allows every one of theirs',
      kind: 'app',
      actsOn: 'both',
      create: () => allowApp('colleague'),
    },
  ]

  /** Statuses for what is requested: home, further, further's under home, home's under further. */
  interface Expected {
    home: string
    further: string
    both: string
    /** The kind of caller that lacks its permission, and gets 403 in any case. */
    lacking?: 'connection' | 'app'
  }
  const bySource = { home: '200 404 404 404', further: '404 200 404 404', both: '200 200 404 404' }
  /** The named source makes no difference to them. */
  const byCompany = { home: '200 404 200 404', further: '404 200 404 200', both: '200 200 200 200' }
  const expected: Record<string, Expected> = {
    'POST /v1/ingest': {
      home: '202 404 404 404',
      further: '404 202 404 404',
      both: '202 202 404 404',
      lacking: 'app',
    },
    'POST /v1/ingest/check': { ...bySource, lacking: 'app' },
    'GET /v1/deliveries': bySource,
    'GET /v1/samples': bySource,
    // An admitted call is refused for the missing metric.
    'GET /v1/samples/trace': { home: '400 404 404 404', further: '404 400 404 404', both: '400 400 404 404' },
    'GET /v1/deliveries/:artifact_id': bySource,
    'GET /v1/sources': byCompany,
    'GET /v1/sources/:source_id': bySource,
    'GET /v1/attention': byCompany,
    'GET /v1/companies': { ...byCompany, lacking: 'connection' },
    // The company is named by the arguments of a tool, and refused by its error.
    'POST /mcp': byCompany,
  }

  test('each operation that takes a bearer is in the table, and nothing else is', () => {
    const routes = app.routes.entries
      .filter(({ method, contract }) => method !== 'HEAD' && contract?.guard === 'bearer')
      .map(({ method, pattern }) => `${method} ${pattern}`)
    expect(Object.keys(expected).toSorted()).toEqual(routes.toSorted())
  })

  test.each(Object.entries(expected))('%s', async (route, wanted) => {
    const [method = '', pattern = ''] = route.split(' ')
    const { contract } = app.routes.at(pattern).find((entry) => entry.method === method)!
    // A read refuses a parameter that it does not know.
    const namesSource = contract!.source !== 'none'
    const seen: Record<string, string> = {}
    const expectedOfAll: Record<string, string> = {}
    for (const { name, kind, actsOn, create } of credentials) {
      const bearer = await create()
      expectedOfAll[name] = kind === wanted.lacking ? '403 403 403 403' : wanted[actsOn]
      const request = async (at: number): Promise<number> => {
        const [, { company: named }, { source: of, artifactId }] = places()[at]!
        if (pattern === '/mcp') return callTool(bearer, named.orgnr)
        const answer = await app.inject({
          method: method as 'GET',
          url: `${pattern.replace(':artifact_id', artifactId).replace(':source_id', of.sourceId)}?orgnr=${named.orgnr}${namesSource ? `&source_id=${of.sourceId}` : ''}`,
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          ...(method === 'GET'
            ? {}
            : { payload: { idempotency_key: randomUUID(), shape_version: 1, payload: { amount: '1' } } }),
        })
        return answer.statusCode
      }
      const statuses: number[] = []
      const isRefused = expectedOfAll[name].split(' ').map((status) => Number(status) >= 400)
      const before = await digest()
      for (const [at, refused] of isRefused.entries()) if (refused) statuses[at] = await request(at)
      expect(await digest(), `${name}: what was refused has changed something`).toBe(before)
      for (const [at, refused] of isRefused.entries()) if (!refused) statuses[at] = await request(at)
      seen[name] = statuses.join(' ')
    }
    expect(seen).toEqual(expectedOfAll)
  })
})
