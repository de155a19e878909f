import { Client, Pool } from 'pg'
import { beforeEach } from 'vitest'
import { deleteDueCompanies } from '../../../src/company/deletions/delete-due-companies.ts'
import { deleteExpiredOrders } from '../../../src/people/identity/expiry.ts'
import { toSearchPath, toShardSchema } from '../../../src/platform/database/schemas.ts'
import { signInConsole, type ConsoleClient } from '../console-client.ts'
import {
  approveDemoOrder,
  seedConnection,
  seedMember,
  seedWebhookSource,
  type SeededMember,
} from '../seed.ts'
import { startTestService } from '../test-service.ts'
import { quietLog, startTestWorker } from '../test-worker.ts'
import { seedScene } from './scene.ts'

const searchPath = `-c search_path=${toSearchPath(toShardSchema(1))}`

export const dayMs = 24 * 60 * 60_000

/** The lines of a company's export. */
const exportIt = async (client: ConsoleClient, path: string): Promise<Record<string, unknown>[]> => {
  const { body } = await client.get(`${path}/export`)
  return String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** A company with two owners and something of everything, and a second one that has the same. To be called at the top of a file. */
export async function startDeletionScene() {
  const service = await startTestService()
  const { database, context, app } = service
  const { worker } = startTestWorker(service)

  const seedFull = async () => {
    const seeded = await seedScene(context, { members: ['reader'], source: {}, connection: {}, app: {} })
    const { company, owner } = seeded
    const second = await seedMember(context, company.companyId, { role: 'owner', name: 'Sven Ägare' })
    const hook = await seedWebhookSource(context, company.companyId)
    const sign = async (person: SeededMember) => signInConsole(app, context, person)
    const clients = {
      owner: await sign(owner),
      second: await sign(second),
      reader: await sign(seeded.reader),
    }
    const path = `/console/companies/${company.companyId}`
    await clients.owner.post(`${path}/invitations`, { role: 'reader' })
    return { ...seeded, second, hook, clients, path }
  }
  type Full = Awaited<ReturnType<typeof seedFull>>
  const scene = {} as { doomed: Full; neighbour: Full }
  beforeEach(async () => {
    context.clock.set('2026-01-15T12:00:00Z')
    await database.pool.query('delete from rate_buckets')
    scene.doomed = await seedFull()
    scene.neighbour = await seedFull()
    const { doomed, neighbour } = scene
    // Each acts on the other, and a person is a member of both.
    for (const [home, other] of [
      [doomed, neighbour],
      [neighbour, doomed],
    ] as const) {
      const { personalNumber } = home.owner
      await seedMember(context, other.company.companyId, {
        role: 'developer',
        personalNumber,
        name: 'Olivia Ägare',
      })
      const further = {
        company: home.company,
        owner: home.owner,
        furtherCompanyIds: [other.company.companyId],
      }
      await seedConnection(context, further)
      await push(home, 'first')
    }
    await worker.drain()
  })

  const push = ({ connection }: Full, key: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/ingest',
      headers: { authorization: `Bearer ${connection.credential}` },
      payload: {
        idempotency_key: key,
        shape_version: 1,
        payload: [{ at: '2026-01-10', amount: '5', country: 'Å😀"\u2028', customer: 'Kund Ett' }],
      },
    })

  /** An owner signs in the demo's electronic identity; the last answer. */
  const sign = async (client: ConsoleClient, person: SeededMember, path = scene.doomed.path) => {
    const begun = await client.post(`${path}/deletion/sign`, { language: 'sv' })
    if (begun.status !== 200) return begun
    await approveDemoOrder(context, begun.body.presentation.open_url, person)
    return client.post(`${path}/deletion/sign/${begun.body.order_id}/collect`)
  }

  /** Exported, and signed by both owners. */
  const schedule = async () => {
    const { clients, owner, second, path } = scene.doomed
    await exportIt(clients.owner, path)
    await sign(clients.owner, owner)
    await sign(clients.second, second)
  }

  /** As one sweep does, by a time that is beyond doubt. With a number, its process dies at that statement. */
  const sweep = async (statementsMax = Infinity) => {
    let statements = 0
    class DyingClient extends Client {
      override query = ((...args: unknown[]) => {
        statements += 1
        if (statements >= statementsMax) this.end()
        return (super.query as (...all: unknown[]) => unknown)(...args)
      }) as Client['query']
    }
    const pool = new Pool({ connectionString: database.url, options: searchPath, Client: DyingClient })
    pool.on('error', () => {})
    try {
      for (const deleteExpired of deleteExpiredOrders) await deleteExpired(context, context.clock.now())
      const toShard = (shard: number) => ({ shard, pool })
      const { signal } = new AbortController()
      await deleteDueCompanies({ pool, log: quietLog as never, toShard }, context.clock.now(), signal)
    } finally {
      await pool.end()
    }
    return statements
  }

  return Object.assign(scene, { database, context, app, push, exportIt, sign, schedule, sweep })
}
