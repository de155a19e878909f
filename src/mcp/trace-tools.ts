import { Type } from 'typebox'
import { describeMetric } from '../console/reports/report-metric.ts'
import { traceValue } from '../console/reports/trace-value.ts'
import { showDelivery } from '../engine/samples/show-delivery.ts'
import { formatDay } from '../formats/values/period.ts'
import { uuidPattern } from '../formats/values/uuid-pattern.ts'
import { notFound } from '../platform/http/errors/errors.ts'
import { companyDay } from '../platform/reads/company-day.ts'
import {
  aboutCompany,
  answered,
  args,
  closed,
  day,
  defineTool,
  flag,
  openCompany,
  openReports,
  orNull,
  text,
  toAsOf,
  toLabelFilter,
} from './tool.ts'

/** Deliveries of one answer; refused rows and ignored fields of one answer. */
const deliveriesMax = 20
const refusalsMax = 20

const value = orNull(text('Exact decimal; null where there is none.', 2_000))
const whole = (description: string) => Type.Integer({ description })
const wholeOrNull = (description: string) => Type.Union([Type.Integer({ description }), Type.Null()])

export const traceTool = defineTool({
  name: 'trace_value',
  title: 'Trace a value',
  description:
    'The deliveries behind one value of read_metric, the latest first, with what each contributed and whether a later one took ' +
    'its place.',
  input: closed({
    orgnr: args.orgnr,
    source_id: args.source_id,
    metric: args.metric,
    by: args.by,
    period_start: day('First day of the period.'),
    labels: args.labels,
    as_of: args.as_of,
    cursor: args.cursor,
  }),
  output: closed({
    ...answered,
    source_id: text('The source.'),
    metric: text('Key of the metric.'),
    unit: orNull(text('Unit of the values; null if it is not known.')),
    by: text('Length of the period.'),
    start: text('First day of the period.'),
    end: text('Last day of the period.'),
    finished: flag('Whether it has ended. The value of an unfinished one may still grow.'),
    restated: flag('Whether its figures were delivered again after the first time.'),
    value,
    deliveries: Type.Array(
      closed({
        delivery_id: text('The delivery, for explain_delivery.'),
        received_at: text('When it was received, RFC 3339.'),
        rows: whole('Its rows behind the value.'),
        value,
        counts: value,
        superseded: flag('Whether a later statement took the place of all that it states.'),
        page: answered.page,
      }),
    ),
    next_cursor: orNull(text('Where the list continues; null at its end.')),
  }),
  run: async (call, given) => {
    const opened = await openReports(call, given)
    const { company, source, reports } = opened
    const { asOf, as_of: shownAsOf } = toAsOf(call, given.as_of)
    const { sourceId } = source
    const { metric, period_start: periodStart, cursor } = given
    const trace = await traceValue(reports, company, {
      sourceId,
      metric,
      grain: given.by,
      periodStart,
      filter: toLabelFilter(given.labels),
      except: new Map(),
      asOf,
      limit: deliveriesMax,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const search = new URLSearchParams({
      grain: trace.grain,
      from: periodStart,
      to: trace.periodEnd,
      trace: periodStart,
    })
    if (asOf !== undefined) search.set('as_of', asOf)
    for (const each of given.labels ?? []) search.append(`where.${each.name}`, each.value)
    const today = formatDay(companyDay(company.timeZone, call.context.clock.now()))
    const path = `/reports/${sourceId}/${encodeURIComponent(metric)}?${search}`
    return {
      ...aboutCompany(call, opened, shownAsOf, path),
      source_id: sourceId,
      metric,
      unit: describeMetric({ metric }).unit || null,
      by: trace.grain,
      start: trace.periodStart,
      end: trace.periodEnd,
      finished: trace.periodEnd < today,
      restated: trace.restated,
      value: asOf === undefined ? trace.value : trace.valueThen,
      deliveries: trace.deliveries.items.map((share) => ({
        delivery_id: share.artifact_id,
        received_at: share.received_at.toISOString(),
        rows: share.rows,
        value: share.value,
        counts: asOf === undefined ? share.counts_now : share.counts_then,
        superseded: share.superseded,
        page: aboutCompany(call, opened, shownAsOf, `/deliveries/${share.artifact_id}`).page,
      })),
      next_cursor: trace.deliveries.nextCursor,
    }
  },
})

const meanings = {
  queued: 'It is stored and waits to be parsed. Its rows are in no figure yet.',
  parsed: 'It was parsed. Accepted rows are in the figures; refused rows are in none.',
  unreadable: 'It is stored, and could not be parsed. None of it is in any figure.',
}

export const explainDelivery = defineTool({
  name: 'explain_delivery',
  title: 'Explain a delivery',
  description:
    'What became of a delivery: whether it was parsed, how many rows were accepted and refused, and why. No value of a row is ' +
    'ever shown.',
  input: closed({ orgnr: args.orgnr, delivery_id: text('The delivery (`artifact_id`).', 36) }),
  output: closed({
    ...answered,
    delivery_id: text('The delivery.'),
    source_id: text('The source.'),
    received_at: text('When it was received, RFC 3339.'),
    state: text('`queued`, `parsed` or `unreadable`.'),
    meaning: text('What the state means.'),
    reason: orNull(text('Why it is unreadable.', 500)),
    sandbox: flag('Whether it is test data.'),
    rows_accepted: wholeOrNull('Rows that were accepted; null while it is queued.'),
    rows_refused: wholeOrNull('Rows that were refused; null while it is queued.'),
    rows_date_alone: wholeOrNull('Accepted rows whose time was a date alone; null while it is queued.'),
    refusals: Type.Array(
      closed({
        row: whole('Number of the row, from 1.'),
        field: orNull(text('The field concerned, as data; null if it is the whole row.')),
        code: text('The reason as a code.'),
        reason: text('The reason.', 500),
      }),
      { description: `The first ${refusalsMax} refused rows.` },
    ),
    ignored_fields: Type.Array(text('A field.', 300), {
      description: `The first ${refusalsMax} fields that the source does not declare, as data: they were not kept.`,
    }),
  }),
  run: async (call, { orgnr, delivery_id: artifactId }) => {
    const opened = await openCompany(call, { orgnr })
    const { admission, at, company } = opened
    const { companyId } = company
    if (!uuidPattern.test(artifactId)) throw notFound()
    const { readPool: pool } = at
    const delivery = await call.app.reads.limitOn(pool)(companyId, () =>
      showDelivery({ pool }, companyId, artifactId),
    )
    // As for `GET /v1/deliveries/{artifact_id}`: what the caller may not see does not exist for it.
    const { boundSourceId, sandbox } = admission
    if (delivery?.sandbox !== sandbox) throw notFound()
    if (boundSourceId !== null && delivery.sourceId !== boundSourceId) throw notFound()
    return {
      ...aboutCompany(call, opened, toAsOf(call, undefined).as_of, `/deliveries/${delivery.artifactId}`),
      delivery_id: delivery.artifactId,
      source_id: delivery.sourceId,
      received_at: delivery.receivedAt.toISOString(),
      state: delivery.state,
      meaning: meanings[delivery.state],
      reason: delivery.reason,
      sandbox: delivery.sandbox,
      rows_accepted: delivery.rowsAccepted,
      rows_refused: delivery.rowsRefused,
      rows_date_alone: delivery.rowsDateAlone,
      refusals: delivery.refusals.slice(0, refusalsMax).map(({ row, field, code, reason }) => ({
        row,
        field: field ?? null,
        code,
        reason,
      })),
      ignored_fields: delivery.droppedKeys.slice(0, refusalsMax),
    }
  },
})
