import type { Format } from '../../engine/formats/formats.ts'
import { aggregateDelivery } from '../../engine/parsing/decode/aggregate-delivery.ts'
import type { CombinedSample } from '../../engine/parsing/aggregate/combine.ts'
import type { Plan } from '../../engine/parsing/plan/compile-plan.ts'
import type { Refusal } from '../../engine/parsing/plan/refusal.ts'
import { reportRemarks, type ReportedRemarks } from '../../engine/parsing/plan/remarks.ts'
import type { Aggregation } from '../../engine/aggregations/aggregations.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { cutText } from './cut-text.ts'
import { walkRows } from './example-rows.ts'
import { newestSamples, type ParsedDelivery } from './newest-samples.ts'
import { suggestValue } from './suggest-value.ts'

/** Newest samples that a preview shows. */
const previewSamplesMax = 200
/** Refused rows of a delivery that a preview lists; further ones are only counted. */
const previewRefusalsMax = 20
/** After how long a preview starts no further delivery, in milliseconds. */
const previewMsMax = 2_000

/** A delivery, or an example as it would be stored. */
export interface PreviewedContent {
  /** Null for an example, like the key and the time. */
  artifactId: string | null
  idempotencyKey: string | null
  receivedAt: string | null
  receiveNumber: number
  /** The instant from which rows count as dated far ahead: the receipt, or the present for an example. */
  daysFrom: Date
  droppedKeys: string[]
  format: Format
  /** The bytes, or why all of it would be refused. */
  content: Uint8Array | { refused: string }
  plan: Plan
  /** Fields whose values are not shown. */
  personal: ReadonlySet<string>
}

interface PreviewRefusal extends Refusal {
  /** The value; null for a personal field, and if the whole row is refused. */
  value: string | null
  suggestion: string | null
}

export interface PreviewedDelivery {
  artifactId: string | null
  idempotencyKey: string | null
  receivedAt: string | null
  state: 'parsed' | 'unreadable'
  reason: string | null
  droppedKeys: string[]
  rowsAccepted: number
  rowsRefused: number
  rowsDateAlone: number
  refusals: PreviewRefusal[]
  remarks: ReportedRemarks
}

interface PreviewedMetric {
  metric: string
  aggregation: Aggregation
  /** Accepted rows that the metric does not count. */
  rowsLeftOut: number
}

export interface Preview {
  deliveries: PreviewedDelivery[]
  /** Whether all of them were aggregated. */
  complete: boolean
  metrics: PreviewedMetric[]
  samples: CombinedSample[]
  samplesTruncated: boolean
  /** Only of one delivery that is previewed as if it were sent again. */
  compared: Comparison | null
}

/** The rows of one delivery as it was sent, and under a declaration. */
export interface Comparison {
  rowsRefused: number
  rowsNewlyAccepted: number
  rowsNewlyRefused: number
}

/**
 * Aggregates deliveries under a declaration with the code that parses them, storing nothing. Pure except for the clock that
 * ends it. The first delivery is always included.
 *
 * @param contents latest first; each is created when it is its turn
 * @param elapsedMs since the preview began
 */
export function previewDeliveries(
  { delivers, metrics }: Pick<Declaration, 'delivers' | 'metrics'>,
  contents: readonly (() => PreviewedContent)[],
  elapsedMs: () => number,
): Preview {
  const deliveries: PreviewedDelivery[] = []
  const parsed: ParsedDelivery[] = []
  for (const content of contents) {
    if (deliveries.length > 0 && elapsedMs() > previewMsMax) break
    deliveries.push(aggregate(content(), parsed))
  }
  const { samples, truncated } = newestSamples(delivers, parsed.toReversed(), previewSamplesMax)
  const rowsAccepted = deliveries.reduce((sum, delivery) => sum + delivery.rowsAccepted, 0)
  return {
    deliveries,
    complete: deliveries.length === contents.length,
    metrics: metrics.map(({ metric, aggregation }) => {
      return { metric, aggregation, rowsLeftOut: rowsAccepted - countRows(parsed, metric) }
    }),
    samples,
    samplesTruncated: truncated,
    compared: null,
  }
}

/** Aggregates one delivery, and appends the result to `parsed`. */
function aggregate(previewed: PreviewedContent, parsed: ParsedDelivery[]): PreviewedDelivery {
  const { artifactId, idempotencyKey, receivedAt, receiveNumber, droppedKeys, content, format, plan } =
    previewed
  const about = { artifactId, idempotencyKey, receivedAt, droppedKeys }
  const none = { rowsAccepted: 0, rowsRefused: 0, rowsDateAlone: 0, refusals: [], remarks: reportRemarks({}) }
  if ('refused' in content) return { ...about, ...none, state: 'unreadable', reason: content.refused }
  const result = aggregateDelivery(plan, content, format, { receivedAt: previewed.daysFrom })
  if (result.state === 'unreadable') return { ...about, ...none, state: 'unreadable', reason: result.reason }
  const { rowsAccepted, rowsRefused, rowsDateAlone, metrics } = result
  parsed.push({ receiveNumber, metrics })
  const refusals = withValues(previewed, content, result.refusals.slice(0, previewRefusalsMax))
  const remarks = reportRemarks(result.remarks, droppedKeys)
  return {
    ...about,
    state: 'parsed',
    reason: null,
    rowsAccepted,
    rowsRefused,
    rowsDateAlone,
    refusals,
    remarks,
  }
}

function countRows(parsed: readonly ParsedDelivery[], metric: string): number {
  let rows = 0
  for (const { metrics } of parsed) {
    for (const aggregated of metrics) {
      if (aggregated.metric !== metric) continue
      for (let cell = 0; cell < aggregated.cells; cell++) rows += aggregated.countRows(cell)
    }
  }
  return rows
}

/** Stored refusals contain no values [parse.refusals]; a preview's do, except for personal fields. */
function withValues(
  { format, plan, personal }: PreviewedContent,
  content: Uint8Array,
  refusals: readonly Refusal[],
): PreviewRefusal[] {
  const wanted = new Map(refusals.map((refusal) => [refusal.row, refusal]))
  const values = new Map<number, string>()
  const last = refusals.at(-1)?.row ?? 0
  const declared = new Set(plan.fields.map(({ name }) => name))
  if (last > 0) {
    walkRows(
      content,
      format,
      (row, number) => {
        const field = wanted.get(number)?.field
        if (field !== undefined && !personal.has(field)) {
          const value = row?.get(field)
          if (value && !value.isNested) values.set(number, value.text)
        }
        return number < last
      },
      (name) => declared.has(name),
    )
  }
  return refusals.map((refusal) => {
    const value = values.get(refusal.row)
    const type = plan.fields.find(({ name }) => name === refusal.field)?.type
    if (value === undefined || type === undefined) return { ...refusal, value: null, suggestion: null }
    const suggestion = suggestValue(type, value, plan.timeZone) ?? null
    return { ...refusal, value: cutText(value).toWellFormed(), suggestion }
  })
}
