import type { TrialDatabase } from '../deployment/database.ts'

const cells = `
  select gen_random_uuid() as cell_id, n, date '2025-03-01' + (n % 300)::int as period_start
  from generate_series(1, $3::int) as n`

/**
 * Inserts cells into a source without deliveries: faster than sending them, and possible beyond what the service accepts.
 */
export const insertCells = async (
  database: Pick<TrialDatabase, 'query'>,
  source: { companyId: string; sourceId: string },
  options: { cellCount: number; contributionsEach: number; labels: number; labelCharacters: number },
): Promise<void> => {
  const { cellCount, contributionsEach, labels, labelCharacters } = options
  await database.query(
    `with cells as materialized (${cells}), filled as (
      insert into contributions (company_id, cell_id, receive_number, artifact_id, received_at, value, rows)
      select $1::uuid, cell_id, k, gen_random_uuid(), timestamptz '2026-01-01 00:00:00Z' + k * interval '1 second',
        1.5, 1
      from cells, generate_series(1, $4::int) as k
    )
    insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
      artifact_id, receive_number)
    select $1::uuid, c.cell_id, $2::uuid, s.projection_id, false, c.period_start, 'revenue', (
        select coalesce('{' || string_agg(
          format('"label%s":"%s"', l, rpad(n || '-' || l || '-', $6::int, 'x')), ',') || '}', '{}')
        from generate_series(1, $5::int) as l
      ), 1.5 * $4::int, gen_random_uuid(), $4::int
    from cells c join sources s on s.company_id = $1::uuid and s.source_id = $2::uuid`,
    [source.companyId, source.sourceId, cellCount, contributionsEach, labels, labelCharacters],
  )
}
