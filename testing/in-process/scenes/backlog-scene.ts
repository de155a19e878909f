import { afterEach } from 'vitest'
import { selectQueue } from '../../../src/engine/backlog/queues.ts'
import type { TestSource } from '../source.ts'
import { storeDelivery, type StoredDelivery } from '../store-delivery.ts'
import { startWorkerDatabase } from '../test-worker.ts'

const row = (amount = 1, country = 'SE') => ({ at: '2026-02-01', amount: `${amount}`, country })

/** A CSV document with that many cells. */
export const largeRows = (cells: number): Buffer =>
  Buffer.from(
    `at,amount,country\n${Array.from({ length: cells }, (_, k) => `2026-02-01,1,${k}-${'x'.repeat(20)}`).join('\n')}`,
  )

/** Workers on a database whose backlog is empty before each test, and what is in it. To be called at the top of a file. */
export async function startBacklogScene(clock: Parameters<typeof startWorkerDatabase>[0]) {
  const workers = await startWorkerDatabase(clock)
  const { database } = workers
  afterEach(async () => {
    await database.pool.query('truncate backlog')
  })

  const store = (
    source: TestSource,
    rows: object[] | Buffer = [row()],
    options = {},
  ): Promise<StoredDelivery> => storeDelivery(database.pool, source, rows, options)

  /** Stores `count` deliveries of one row, in one statement. */
  const storeMany = async (source: TestSource, count: number): Promise<unknown> =>
    database.pool.query(
      `with made as (
        insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at,
          connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content, content_encoding,
          content_bytes)
        select $1::uuid, id, $2::uuid, false, id::text, nextval('receive_numbers'), '2026-03-01', id, 1, 'events', '{}', 'json',
          sha256(id::text::bytea), content, 'identity', length(content)
        from (
          select gen_random_uuid() as id, convert_to('[{"at":"2026-02-01","amount":"1"}]', 'utf8') as content
          from generate_series(1, $3::int)
        ) as ids
        returning company_id, source_id, artifact_id, receive_number, content_bytes
      )
      insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue)
      select receive_number, 0, company_id, source_id, artifact_id, content_bytes, '2026-03-01',
        ${selectQueue('0', 'content_bytes')}
      from made`,
      [source.companyId, source.sourceId, count],
    )

  const isParsed = async ({ artifactId }: StoredDelivery): Promise<boolean> => {
    const { rows } = await database.pool.query('select from parse_results where artifact_id = $1', [
      artifactId,
    ])
    return rows.length > 0
  }
  const readAttempts = async (delivery: StoredDelivery): Promise<object | undefined> => {
    const { rows } = await database.pool.query(
      'select attempts, queue, not_before from backlog where artifact_id = $1',
      [delivery.artifactId],
    )
    return rows[0]
  }
  const waiting = async (source: TestSource): Promise<number> => {
    const { rows } = await database.pool.query(
      'select count(*)::int as waiting from backlog where source_id = $1',
      [source.sourceId],
    )
    return rows[0].waiting
  }

  return { ...workers, store, storeMany, isParsed, readAttempts, waiting }
}
