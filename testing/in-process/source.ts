import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Delivers, Field, Metric } from '../../src/engine/declarations/declaration.ts'

export interface TestSource {
  companyId: string
  sourceId: string
  timeZone: string
  salt: Buffer
}

export interface TestSourceOptions {
  delivers?: Delivers
  fields?: Field[]
  metrics?: Metric[]
  timeZone?: string
  /** Another source of the same company. */
  companyId?: string
}

const field = (name: string, type: Field['type'], personal = false): Field => ({ name, type, personal })

/** A shop's orders. */
export const testFields: Field[] = [
  field('at', 'timestamp'),
  field('amount', 'number'),
  field('country', 'text'),
  field('customer', 'text', true),
]

/** A metric, which sums `amount` by day by default. */
export const testMetric = (metric: Partial<Metric> = {}): Metric => {
  const made: Metric = {
    metric: 'revenue',
    aggregation: 'sum',
    field: 'amount',
    filters: [],
    group_by: [],
    period: 'day',
    ...metric,
  }
  return made
}

const orgnrs = new Set<string>()
const newOrgnr = (): string => {
  const orgnr = `5566${String(orgnrs.size).padStart(6, '0')}`
  orgnrs.add(orgnr)
  return orgnr
}

/** Makes a company with one source, its first shape version and its first projection, straight in the database. */
export const createTestSource = async (pool: Pool, options: TestSourceOptions = {}): Promise<TestSource> => {
  const {
    delivers = 'events',
    fields = testFields,
    metrics = [testMetric()],
    timeZone = 'Europe/Stockholm',
  } = options
  const companyId = options.companyId ?? randomUUID()
  const sourceId = randomUUID()
  const salt = randomBytes(16)
  const at = '2026-01-01T00:00:00Z'
  if (options.companyId === undefined) {
    await pool.query(
      'insert into companies (company_id, shard, orgnr, name, time_zone, created_at) values ($1, 1, $2, $3, $4, $5)',
      [companyId, newOrgnr(), 'Bageriet AB', timeZone, at],
    )
  }
  await pool.query(
    `insert into sources (company_id, source_id, name, system_kind, channel, shape_version, projection_id,
      distinct_salt, created_at)
    values ($1, $2, 'Shop', 'web shop', 'push', 1, 1, $3, $4)`,
    [companyId, sourceId, salt, at],
  )
  await addShape(pool, { companyId, sourceId }, 1, { delivers, fields, metrics })
  await pool.query(
    `insert into projections (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
    values ($1, $2, 1, 1, 'current', true, 0, $3)`,
    [companyId, sourceId, at],
  )
  return { companyId, sourceId, timeZone, salt }
}

/** Saves a further shape version, without beginning a projection. */
export const addShape = async (
  pool: Pool,
  source: Pick<TestSource, 'companyId' | 'sourceId'>,
  shapeVersion: number,
  shape: { delivers?: Delivers; fields?: Field[]; metrics?: Metric[] },
): Promise<void> => {
  const { delivers = 'events', fields = testFields, metrics = [testMetric()] } = shape
  await pool.query(
    `insert into shapes (company_id, source_id, shape_version, fields, event_time, metrics, delivers, saved_at)
    values ($1, $2, $3, $4, 'at', $5, $6, '2026-01-01T00:00:00Z')`,
    [
      source.companyId,
      source.sourceId,
      shapeVersion,
      JSON.stringify(fields),
      JSON.stringify(metrics),
      delivers,
    ],
  )
  await pool.query('update sources set shape_version = $3 where company_id = $1 and source_id = $2', [
    source.companyId,
    source.sourceId,
    shapeVersion,
  ])
}
