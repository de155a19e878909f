import type { Pool } from 'pg'
import { selectQueue } from '../../src/engine/backlog/queues.ts'
import type { TestContext } from '../../testing/in-process/test-context.ts'
import { seedCompany, seedConnection, seedSource, seedWebhookSource } from '../../testing/in-process/seed.ts'

export interface LoggedCompany {
  companyId: string
  owner: Awaited<ReturnType<typeof seedCompany>>['owner']
  /** Four for pushes, two for webhooks; the last one has few deliveries. */
  sourceIds: string[]
}

/** A company with six sources. */
export const openLoggedCompany = async (context: TestContext): Promise<LoggedCompany> => {
  const { company, owner } = await seedCompany(context)
  const { companyId } = company
  const sourceIds: string[] = []
  for (const name of ['Web shop', 'Ledger', 'Returns', 'Kista store']) {
    const source = await seedSource(context, companyId, { name })
    await seedConnection(context, { company, owner, source })
    sourceIds.push(source.sourceId)
  }
  for (const name of ['Marketplace', 'Quiet']) {
    sourceIds.push((await seedWebhookSource(context, companyId, { name })).sourceId)
  }
  return { companyId, owner, sourceIds }
}

/**
 * Inserts deliveries as the service stores them, one every ten seconds. Of each thousand five are tests, ten have refused
 * rows and one is unreadable; one of a hundred thousand is of the last source; the last thousand are not parsed yet.
 */
export const fillLog = async (
  pool: Pool,
  { companyId, sourceIds }: LoggedCompany,
  deliveries: number,
): Promise<void> => {
  const part = 50_000
  for (let first = 0; first < deliveries; first += part) {
    await pool.query(
      `with generated as materialized (
        select n, nextval('receive_numbers') as receive_number, at,
          $2::uuid[] as sources,
          case when n % 100000 = 99999 then 6 else 1 + (n * 7) % 5 end as place,
          (lpad(to_hex(floor(extract(epoch from at) * 1000)::int8), 12, '0') || '7' ||
            substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as artifact_id,
          convert_to('[{"at":"2026-01-01T00:00:00Z","amount":"' || n || '","country":"SE"}]', 'utf8') as content
        from generate_series($3::int, $4::int) as n
        cross join lateral (select timestamptz '2026-01-01 00:00:00Z' + n * interval '10 seconds' as at) as received
        order by n
      ), stored as (
        insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number,
          received_at, connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content,
          content_encoding, content_bytes)
        select $1::uuid, artifact_id, sources[place], n % 1000 < 5, 'order-batch-' || n, receive_number, at,
          case when place <= 4 then sources[place] end, 1, 'events', '{}', 'json', sha256(content), content, 'identity',
          length(content)
        from generated
      ), queued as (
        insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at,
          queue)
        select receive_number, 0, $1::uuid, sources[place], artifact_id, length(content), at,
          ${selectQueue('0', 'length(content)')}
        from generated
        where n >= $5::int
      )
      insert into parse_results (company_id, source_id, projection_id, receive_number, artifact_id, state, reason,
        rows_accepted, rows_refused, rows_date_alone, refusals, parsed_at)
      select $1::uuid, sources[place], 1, receive_number, artifact_id,
        case when n % 1000 = 500 then 'unreadable' else 'parsed' end,
        case when n % 1000 = 500 then 'The content is not UTF-8.' end,
        1, case when n % 100 = 50 then 1 else 0 end, 0, '[]', at
      from generated
      where n < $5::int`,
      [companyId, sourceIds, first, Math.min(first + part, deliveries) - 1, deliveries - 1_000],
    )
  }
  await pool.query('vacuum analyze deliveries, parse_results, backlog, sources')
}
