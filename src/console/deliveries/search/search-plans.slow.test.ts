import { expect, test } from 'vitest'
import { seedScene } from '../../../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { searches } from './queries.ts'

const { database, context } = await startTestService()

test('a key is searched in the index of keys, not among all deliveries of its source', async () => {
  const { company, source } = await seedScene(context, { source: {} })
  const { companyId } = company
  const { sourceId } = source
  const client = await database.pool.connect()
  try {
    await client.query(
      `insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at,
         connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content, content_encoding,
         content_bytes)
       select $1::uuid, gen_random_uuid(), $2::uuid, false, gen_random_uuid()::text, n, now(), $2::uuid, 1, 'events',
         '{}', 'json', sha256('1'), '1', 'identity', 1
       from generate_series(1, 50000) as n`,
      [companyId, sourceId],
    )
    await client.query('analyze')
    for (const { name, text, toValues } of [searches.byKey.list, searches.byKey.count]) {
      const params = {
        companyId,
        sourceId,
        sandbox: null,
        channel: null,
        state: null,
        from: null,
        to: null,
        prefix: 'order-4711',
        artifactId: null,
        above: '0',
        before: '9223372036854775807',
        examinedMax: 10_000,
        limit: 51,
        isPlain: false,
      }
      const values = toValues(params).map((value) => (value === null ? 'null' : `'${String(value)}'`))
      await client.query(`prepare searched as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute searched(${values.join()})`,
      )
      await client.query('deallocate searched')
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect([name, plan]).toEqual([name, expect.stringContaining('deliveries_by_key')])
      expect([name, plan]).toEqual([name, expect.not.stringMatching(/Filter: \(\(idempotency_key >=/)])
    }
  } finally {
    client.release(true)
  }
})
