import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import type { Delivers, Metric } from '../sources/declaration.ts'

/** Where samples are read from: one projection of a source, test or production. */
export type ProjectionParams = [companyId: string, sourceId: string, projectionId: number, sandbox: boolean]

/** The days read and what is filtered: a metric, and labels as a JSON object; null for all. */
export type WindowParams = [
  from: string,
  to: string,
  metric: string | null,
  labels: string | null,
  samplesMax: number,
  /** Of all samples of the answer, as JSON, with a comma each. */
  bytesMax: number,
]

export interface RenderedSamples {
  /** Of the answer, comma between them; null for none. */
  samples: string | null
  truncated: boolean
}

/**
 * Samples as JSON text, made in the database: five columns of thousands of rows cost the server, the driver and the
 * event loop more. `rows` gives the columns in the order of the answer, one more than `samplesMax`.
 *
 * Only as many are put together as `bytesMax` holds, commas included. How long a sample is, is known before its labels
 * are even fetched: what is stored apart says its length, so what is cut off is never read. The rows come in the order in
 * which the window placed them; said once more, they would be sorted once more.
 */
const render = (rows: string, sandbox: string, samplesMax: string, bytesMax: string): string => `
  select
    string_agg(head || labels || tail, ',') filter (where fits) as samples,
    coalesce(bool_or(not fits), false) as truncated
  from (
    select head, labels, tail, place, place <= ${samplesMax} and bytes <= ${bytesMax} as fits
    from (
      select head, labels, tail, row_number() over so_far as place,
        sum(octet_length(head) + octet_length(labels) + octet_length(tail) + 1) over so_far as bytes
      from (
        select '{"metric":' || to_json(metric) || ',"period_start":"' || period_start || '","value":"' ||
            trim_scale(value) || '","labels":' as head,
          labels,
          case when ${sandbox} then ',"sandbox":true' else ',"sandbox":false' end || ',"artifact_id":"' ||
            artifact_id || '"}' as tail
        from (${rows}) as ordered
        offset 0
      ) as written
      window so_far as (rows unbounded preceding)
    ) as placed
  ) as cut`

const inWindow = `
      s.company_id = $1::uuid and s.source_id = $2::uuid and s.projection_id = $3::int4 and s.sandbox = $4::bool
      and s.period_start >= $5::date and s.period_start < $6::date
      and ($7::text is null or s.metric = $7::text)
      and ($8::text is null or s.labels::jsonb @> $8::jsonb)`

/**
 * [read.order]; `label_order` is what the labels' values compare by. Where it is long it is stored compressed, and would be
 * unpacked for every comparison: beginnings are taken once, and decide nearly always. A beginning sorts as the whole does.
 */
const inOrder = `order by s.period_start desc, s.metric, s.label_order_begin, s.label_order`
const labelOrder = `s.label_order, left(s.label_order, 400) as label_order_begin`

/** The cells of a window in the order of the answer. Said of a subquery, what is made of a cell is made of no more. */
const cellsInOrder = `(
      select s.*
      from (
        select s.company_id, s.cell_id, s.source_id, s.projection_id, s.sandbox, s.metric, s.period_start, s.labels,
          ${labelOrder}
        from samples s
        where ${inWindow}
      ) as s
      ${inOrder}
    ) as s`

/** The samples of a window [read.order], [read.window]. */
export const renderSamples = defineStatement<RenderedSamples, [...ProjectionParams, ...WindowParams]>(
  'samples.render',
  render(
    `
    select s.metric, s.period_start, s.value, s.labels, s.artifact_id
    from (
      select s.metric, s.period_start, s.value, s.labels, s.artifact_id, ${labelOrder}
      from samples s
      where ${inWindow}
        and s.value is not null
    ) as s
    ${inOrder}
    limit $9::int4 + 1`,
    '$4::bool',
    '$9::int4',
    '$10::int4',
  ),
)

/** How a projection aggregates. */
export const readProjection = defineStatement<
  { delivers: Delivers; metrics: Metric[] },
  [companyId: string, sourceId: string, projectionId: number]
>(
  'samples.read-projection',
  `
  select h.delivers, h.metrics
  from projections f
  join shapes h on h.company_id = f.company_id and h.source_id = f.source_id and h.shape_version = f.shape_version
  where f.company_id = $1::uuid and f.source_id = $2::uuid and f.projection_id = $3::int4`,
)

const contributionsUntil = `
        from contributions c
        where c.company_id = s.company_id and c.cell_id = s.cell_id and c.received_at <= $11::timestamptz`

/**
 * Likewise of an events source, from what was received until $11; $12 says how each metric counts, as JSON. A cell may have
 * hundreds of thousands of contributions: one walk over them gives its sum and its last delivery, without sorting them, and
 * what the other ways to count need is a subquery of its own, so that it is done for no other metric.
 */
export const renderEventsAsOf = defineStatement<
  RenderedSamples,
  [...ProjectionParams, ...WindowParams, asOf: string, aggregations: string]
>(
  'samples.render-events-as-of',
  render(
    `
    select s.metric, s.period_start, s.labels,
      (
        select c.artifact_id from contributions c
        where c.company_id = s.company_id and c.cell_id = s.cell_id and c.receive_number = walked.receive_number
      ) as artifact_id,
      case $12::jsonb ->> s.metric
        when 'min' then (select min(c.value) ${contributionsUntil})
        when 'max' then (select max(c.value) ${contributionsUntil})
        when 'last' then (
          select c.value ${contributionsUntil}
          order by c.event_at desc, c.receive_number desc
          limit 1
        )
        when 'count_distinct' then (
          select count(*) from distinct_values d
          where d.company_id = s.company_id and d.cell_id = s.cell_id and d.first_received_at <= $11::timestamptz
        )
        else walked.sum
      end as value
    from ${cellsInOrder}
    cross join lateral (
      select max(c.receive_number) as receive_number, sum(c.value) as sum ${contributionsUntil}
    ) as walked
    where walked.receive_number is not null
    ${inOrder}
    limit $9::int4 + 1`,
    '$4::bool',
    '$9::int4',
    '$10::int4',
  ),
)

/** Likewise of a statements source: what the delivery says that was the period's owner then. */
export const renderStatementsAsOf = defineStatement<
  RenderedSamples,
  [...ProjectionParams, ...WindowParams, asOf: string]
>(
  'samples.render-statements-as-of',
  render(
    `
    select s.metric, s.period_start, c.value, s.labels, c.artifact_id
    from ${cellsInOrder}
    cross join lateral (
      select p.receive_number from period_deliveries p
      where p.company_id = s.company_id and p.source_id = s.source_id and p.projection_id = s.projection_id
        and p.sandbox = s.sandbox and p.metric = s.metric and p.period_start = s.period_start
        and p.received_at <= $11::timestamptz
      order by p.receive_number desc
      limit 1
    ) as owner
    cross join lateral (
      select value, artifact_id from contributions
      where company_id = s.company_id and cell_id = s.cell_id and receive_number = owner.receive_number
      limit 1
    ) as c
    ${inOrder}
    limit $9::int4 + 1`,
    '$4::bool',
    '$9::int4',
    '$10::int4',
  ),
)

export interface CellRow {
  /** Null: the owner of the period does not mention the cell. */
  value: string | null
  /** Statements: the delivery that owns the period, and how many have said something of it; null for events. */
  owner_artifact_id: string | null
  deliveries: number | null
}

export const readCell = defineStatement<CellRow, [companyId: string, cellId: string]>(
  'samples.read-cell',
  `
  select trim_scale(s.value)::text as value, o.artifact_id as owner_artifact_id, o.deliveries
  from samples s
  left join period_owners o on o.company_id = s.company_id and o.source_id = s.source_id and o.projection_id = s.projection_id
    and o.sandbox = s.sandbox and o.metric = s.metric and o.period_start = s.period_start
  where s.company_id = $1::uuid and s.cell_id = $2::uuid`,
)

/** Above every receive number: what comes before it is everything. A condition with "or null" finds nothing by index. */
const last = '9223372036854775807'

export interface ContributionRow {
  receive_number: string
  artifact_id: string
  received_at: Date
  value: string
  rows: number
  event_at: string | null
}

/** What deliveries said about a cell, the latest first, below the receive number $3. */
export const readContributions = defineStatement<
  ContributionRow,
  [companyId: string, cellId: string, before: string | null, limit: number]
>(
  'samples.read-contributions',
  `
  select receive_number, artifact_id, received_at, trim_scale(value)::text as value, rows,
    trim_scale(event_at)::text as event_at
  from contributions
  where company_id = $1::uuid and cell_id = $2::uuid and receive_number < coalesce($3::int8, ${last})
  order by receive_number desc
  limit $4::int4`,
)

/** How many members of a distinct count each of some deliveries was the first to have. */
export const countFirstValues = defineStatement<
  { receive_number: string; added: number },
  [companyId: string, cellId: string, receiveNumbers: Buffer]
>(
  'samples.count-first-values',
  `
  select first_receive_number as receive_number, count(*)::int4 as added
  from distinct_values
  where company_id = $1::uuid and cell_id = $2::uuid and first_receive_number = any ($3::int8[])
  group by first_receive_number`,
)

export interface DeliveryRow {
  receive_number: string
  artifact_id: string
  source_id: string
  sandbox: boolean
  received_at: Date
  shape_version: number
  delivers: Delivers
  dropped_keys: string[]
  content_bytes: number
  /** Null, like all that follows, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  refusals: object[] | null
}

/** Characters of a dropped key that are shown; the rest is cut off. Earlier versions kept names of any length. */
export const shownKeyCharactersMax = 200
const shortKeys = `array(
      select left(names.name, ${shownKeyCharactersMax})
      from unnest(d.dropped_keys) with ordinality as names (name, place)
      order by names.place
    )`
// What reading found out in the projection that is read now.
const deliveryColumns = `d.receive_number, d.artifact_id, d.source_id, d.sandbox, d.received_at, d.shape_version,
    d.delivers, ${shortKeys} as dropped_keys, d.content_bytes, r.state, r.reason, r.rows_accepted, r.rows_refused,
    r.rows_date_alone`
// Lateral with a limit: one look into the index for each delivery, whatever else the server could think of.
const withParseResult = `
  join sources s on s.company_id = d.company_id and s.source_id = d.source_id
  left join lateral (
    select state, reason, rows_accepted, rows_refused, rows_date_alone, refusals
    from parse_results
    where company_id = d.company_id and source_id = d.source_id and projection_id = s.projection_id
      and receive_number = d.receive_number
    limit 1
  ) as r on true`

export const readDelivery = defineStatement<DeliveryRow, [companyId: string, artifactId: string]>(
  'samples.read-delivery',
  `
  select ${deliveryColumns}, r.refusals
  from deliveries d
  ${withParseResult}
  where d.company_id = $1::uuid and d.artifact_id = $2::uuid`,
)

/** A source's deliveries, the latest first, below the receive number $4. Without the refusals. */
export const readDeliveries = defineStatement<
  DeliveryRow & WithinBytes,
  [companyId: string, sourceId: string, sandbox: boolean, before: string | null, limit: number]
>(
  'samples.read-deliveries',
  withinBytes(`
  select ${deliveryColumns}, null::jsonb as refusals
  from (
    select * from deliveries
    where company_id = $1::uuid and source_id = $2::uuid and sandbox = $3::bool
      and receive_number < coalesce($4::int8, ${last})
    order by receive_number desc
    limit $5::int4
  ) as d
  ${withParseResult}
  order by d.receive_number desc`),
)

/** The last delivery of every source of a company, by source, after the source $3; sources without one are left out. */
export const readLastDeliveries = defineStatement<
  DeliveryRow & WithinBytes,
  [companyId: string, sandbox: boolean, after: string | null, limit: number]
>(
  'samples.read-last-deliveries',
  withinBytes(`
  select ${deliveryColumns}, null::jsonb as refusals
  from sources of_company
  cross join lateral (
    select * from deliveries
    where company_id = of_company.company_id and source_id = of_company.source_id and sandbox = $2::bool
    order by receive_number desc
    limit 1
  ) as d
  ${withParseResult}
  where of_company.company_id = $1::uuid and ($3::uuid is null or of_company.source_id > $3::uuid)
  order by of_company.source_id
  limit $4::int4`),
)

export interface ReadableSourceRow {
  source_id: string
  name: string
  delivers: Delivers
  shape_version: number
  paused: boolean
}

/** The sources that a connection may name: its own, or where it is bound to none all of the company. */
export const readSources = defineStatement<
  ReadableSourceRow,
  [companyId: string, boundSourceId: string | null, after: string | null, limit: number]
>(
  'samples.read-sources',
  `
  select s.source_id, s.name, h.delivers, s.shape_version, s.paused_at is not null as paused
  from sources s
  join shapes h on h.company_id = s.company_id and h.source_id = s.source_id and h.shape_version = s.shape_version
  where s.company_id = $1::uuid and ($2::uuid is null or s.source_id = $2::uuid)
    and ($3::uuid is null or s.source_id > $3::uuid)
  order by s.source_id
  limit $4::int4`,
)
