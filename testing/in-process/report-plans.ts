import type { Pool } from 'pg'
import { definedStatements } from '../../src/platform/database/define-statement.ts'

/** Two sources of a company; what is planned is of the first. */
export interface PlannedSources {
  companyId: string
  sourceId: string
  otherId: string
}

/** What each of a company's tables that grow with deliveries may be looked into by, with the columns that have to be bound. */
const indexes: Record<string, Record<string, readonly string[]>> = {
  samples: {
    samples_by_period: ['source_id', 'projection_id', 'sandbox', 'period_start'],
    samples_pkey: ['cell_id'],
  },
  contributions: { contributions_pkey: ['cell_id'] },
  distinct_values: { distinct_values_pkey: ['cell_id'] },
  period_owners: {
    period_owners_pkey: ['source_id', 'projection_id', 'sandbox', 'metric', 'period_start'],
  },
  period_deliveries: {
    period_deliveries_pkey: ['source_id', 'projection_id', 'sandbox', 'metric', 'period_start'],
  },
  deliveries: {
    deliveries_pkey: ['artifact_id'],
    deliveries_by_receipt: ['source_id', 'sandbox'],
  },
  parse_results: { parse_results_pkey: ['source_id', 'projection_id', 'receive_number'] },
}

/** Days of which there are samples, up to 2026-04-04. */
const days = 400

/**
 * Fills the tables that reports read: so many cells a day and source, 400 days, each said by one delivery. The ids of cells
 * are in order, which takes a fraction of the time.
 *
 * @param labels cells a day
 */
export async function fillReports(pool: Pool, sources: PlannedSources, labels: number): Promise<void> {
  const fill = (text: string, more: unknown[] = []) =>
    pool.query(text, [sources.companyId, [sources.sourceId, sources.otherId], ...more])
  const ofBoth = `unnest($2::uuid[]) as of (source_id),
    generate_series('2026-04-04'::date - ${days - 1}, '2026-04-04', '1 day') as day`
  await fill(
    `insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
       artifact_id, receive_number)
     select $1, lpad(to_hex(row_number() over ()), 32, '0')::uuid, source_id, 1, false, day, 'revenue',
       '{"country":"' || label || '"}', 1, $1, 1
     from ${ofBoth}, generate_series(1, $3::int4) as label`,
    [labels],
  )
  await fill(
    `insert into period_owners select $1, source_id, 1, false, 'revenue', day, 1, gen_random_uuid(), 1 from ${ofBoth}`,
  )
  await fill(
    `insert into period_deliveries
     select $1, source_id, 1, false, 'revenue', day, 1, gen_random_uuid(), day from ${ofBoth}`,
  )
  await fill(
    `insert into contributions
     select company_id, cell_id, receive_number, artifact_id, period_start, value, null, 1
     from samples where company_id = $1 and source_id = any ($2)`,
  )
  await fill(
    `insert into distinct_values (company_id, cell_id, value_hash, first_receive_number, first_received_at)
     select company_id, cell_id, sha256(cell_id::text::bytea), 1, now()
     from samples where company_id = $1 and source_id = any ($2)`,
  )
  const deliveries = `unnest($2::uuid[]) as of (source_id), generate_series(1, $3::int4) as number`
  await fill(
    `insert into parse_results (company_id, source_id, projection_id, receive_number, artifact_id, state, reason,
       rows_accepted, rows_refused, rows_date_alone, refusals, parsed_at)
     select $1, source_id, 1, number, gen_random_uuid(), 'parsed', null, 1, 0, 0, '[]', now() from ${deliveries}`,
    [labels * 50],
  )
  await fill(
    `insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at,
       connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content, content_encoding, content_bytes)
     select $1, gen_random_uuid(), source_id, false, number, nextval('receive_numbers'), now(), gen_random_uuid(), 1,
       'events', '{}', 'json', sha256(number::text::bytea), '[]', 'identity', 2
     from ${deliveries}`,
    [labels * 50],
  )
  await pool.query(`analyze ${Object.keys(indexes).join()}`)
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** A look into a large table that is not as it has to be: by no index, by another one, or through all of a company. */
function findFaults(node: PlanNode): string[] {
  const { Plans: below = [], 'Relation Name': table = '' } = node
  const faults = below.flatMap(findFaults)
  const wanted = indexes[table]
  if (wanted === undefined) return faults
  // A bitmap's index is in the node below it.
  const look = node['Index Name'] === undefined ? below[0] : node
  const index = look?.['Index Name']
  const condition = look?.['Index Cond'] ?? ''
  const columns = ['company_id', ...(wanted[index ?? ''] ?? ['no such index'])]
  const open = columns.filter((column) => !new RegExp(`\\b${column}\\b`).test(condition))
  return open.length === 0
    ? faults
    : [...faults, `${node['Node Type']} of ${table} by ${index}: ${open.join()} is not in "${condition}"`]
}

/**
 * What is wrong with the plans of the statements of reports, by their names. Each is planned for two months of one metric.
 *
 * @param options whether the server may read a table whole, which it may prefer where one is small
 */
export async function findFaultyPlans(
  pool: Pool,
  { companyId, sourceId }: PlannedSources,
  { mayReadWhole }: { mayReadWhole: boolean },
): Promise<{ planned: number; faults: Record<string, string[]> }> {
  const values: Record<string, string> = {
    companyId,
    sourceId,
    projectionId: '1',
    metric: 'revenue',
    sourceIds: `{${sourceId}}`,
    after: sourceId,
    where: '{"country":["SE"]}',
    except: '{"country":["NO"]}',
    asOf: '2026-02-01T00:00:00Z',
    at: '2026-04-04T00:00:00Z',
    labels: '{country}',
    receiveNumbers: '{1,2}',
    firstDays: '{2026-01-01,2026-02-01}',
    lastDays: '{2026-01-31,2026-02-28}',
    endInstants: '{2026-02-01T00:00:00Z,2026-03-01T00:00:00Z}',
  }
  const toValue = (name: string, type: string): string =>
    values[name] ?? (type === 'date' ? '2026-02-01' : type === 'text' ? 'sum' : '10')
  const faults: Record<string, string[]> = {}
  let planned = 0
  const client = await pool.connect()
  try {
    if (!mayReadWhole) await client.query('set enable_seqscan = off')
    for (const [name, text] of definedStatements()) {
      if (!name.startsWith('reports.')) continue
      planned++
      const statement = text.replaceAll(
        /\$(\w+)::(\w+(?:\[\])?)/g,
        (_all, parameter: string, type: string) => `'${toValue(parameter, type)}'::${type}`,
      )
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (format json) ${statement}`,
      )
      const found = findFaults(rows[0]!['QUERY PLAN'][0].Plan)
      if (found.length > 0) faults[name] = found
    }
  } finally {
    client.release(true)
  }
  return { planned, faults }
}
