import { beforeAll, beforeEach } from 'vitest'
import { hashSecret } from '../../../src/platform/keys/secrets.ts'
import { signInConsole } from '../console-client.ts'
import { seedScene } from './scene.ts'
import { startTestService } from '../test-service.ts'

export const hourMs = 60 * 60_000
export const dayMs = 24 * hourMs
const begin = '2026-01-15T12:00:00Z'

/** An owner who makes connections to a source in the company's pages, for each test. To be called at the top of a file. */
export async function startConnectionScene() {
  const { database, context, app, directory } = await startTestService()
  beforeAll(async () => {
    // Opens connections beforehand, so that concurrent calls are concurrent.
    await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
  })
  const seed = async () => {
    const { source, ...seeded } = await seedScene(context, { source: {} })
    return {
      source,
      seeded,
      client: await signInConsole(app, context, seeded.owner),
      /** The address of the company's connections in the console's API. */
      connections: `/console/companies/${seeded.company.companyId}/connections`,
    }
  }
  const scene = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    context.clock.set(begin)
    // Tests go back in time; to a bucket, that is a long wait.
    await database.pool.query('delete from rate_buckets')
    Object.assign(scene, await seed())
  })

  const newConnection = (changes: object = {}) => ({
    name: 'Connector',
    source_id: scene.source.sourceId,
    permissions: ['metrics.read', 'sources.ingest'],
    kind: 'production',
    credential_kind: 'client',
    ...changes,
  })

  const make = async (changes: object = {}) =>
    (await scene.client.post(scene.connections, newConnection(changes))).body

  const startSigning = async (connectionId: string) =>
    (await scene.client.post(`${scene.connections}/${connectionId}/sign`)).body

  const ownerNumber = () => ({ personalNumber: scene.seeded.owner.personalNumber })

  const readCredentials = async (connectionId: string) =>
    (
      await database.pool.query<{ credential_hash: Buffer; kind: string; ends_at: Date | null }>(
        'select credential_hash, kind, ends_at from credentials where connection_id = $1',
        [connectionId],
      )
    ).rows

  /** Whether a secret opens its connection now; only rotations are looked at. */
  const works = async (secret: string) => {
    const { rows } = await database.pool.query(
      'select 1 from credentials where credential_hash = $1 and (ends_at is null or ends_at > $2)',
      [hashSecret(secret), new Date(context.clock.now())],
    )
    return rows.length === 1
  }

  return Object.assign(scene, {
    database,
    context,
    app,
    directory,
    newConnection,
    make,
    startSigning,
    ownerNumber,
    readCredentials,
    works,
  })
}
