import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import { toRenderedAnswer, type RenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { requireKnownLabels } from './samples-query.ts'
import { storableInstant } from '../../platform/reads/read-instant.ts'
import type { ReadOnBasis } from '../../platform/reads/read-on-basis.ts'
import { formatDay } from '../../formats/values/period.ts'
import { findSamplesVersion } from './basis-queries.ts'
import { samplesVersionBasis } from './basis.ts'
import {
  readProjection,
  renderEventsAsOf,
  renderSamples,
  renderStatementsAsOf,
  type ProjectionParams,
  type RenderedSamples,
  type WindowParams,
} from './queries.ts'
import { readDay, windowDaysMax, type Window } from '../../platform/reads/read-window.ts'
import { digestQuery, refuseCursor, writeSamplesCursor, type SamplesCursor } from './samples-cursor.ts'
import { writeSamplesCsv, type Sample } from './samples-csv.ts'

/** The samples to read. Their source was looked up for this call. */
interface SamplesRequest {
  companyId: string
  sourceId: string
  /** The current projection and the version of its samples, from that look-up. */
  projectionId: number
  samplesVersion: string
  sandbox: boolean
  window: Window
  /** Only this metric's samples. */
  metric?: string | undefined
  /** Only samples with these labels, by name. */
  labels?: ReadonlyMap<string, string>
  /** As of this instant: from the deliveries received until then. Milliseconds since 1970. */
  asOfMs?: number | undefined
  /** Where an earlier answer to the same query ended; its window is that of the request. */
  cursor?: SamplesCursor | undefined
  /** As CSV instead of JSON. */
  isCsv?: boolean
}

interface SamplesAnswer extends RenderedAnswer {
  /** The cursor of what is left out; null if the answer holds all samples of the window. */
  next: string | null
}

export interface ReadSamples {
  /**
   * The specification's Samples, as JSON or CSV.
   *
   * @param read on the company's shard, what is not answered from the cache
   * @throws 400 with a label that no metric of the projection has, or with `cursor` if it is another query's; 409 if the samples
   *   have changed since the answer that gave the cursor
   */
  (read: ReadOnBasis, request: SamplesRequest): Promise<SamplesAnswer>
}

/** Samples of one answer (specification, "Limits"). */
export const samplesMax = 5_000
/** Bytes of an answer's JSON [read.order]: what does not fit is left out at the end, and `truncated` is true. */
export const answerBytesMax = 8_388_608
function writeTail(truncated: boolean, next: string | null): string {
  return `],"truncated":${truncated}${next === null ? '' : `,"next":"${next}"`}}`
}
/** Bytes of rendered answers that are cached, the most recently used ones. */
const cacheBytesMax = 67_108_864

/**
 * Reads the samples of a window, newest first, then by metric and the labels' values [read.order], [read.window],
 * [read.sandbox]. Superseded samples are left out; personal fields cannot appear, since they are never labels.
 *
 * Rendered answers are cached while the version of the projection's samples stays the same. Every call brings the
 * version that was looked up for it. Versions grow in the transactions that change samples, and samples are read after
 * their version: so what is cached under a version is as of that version or newer, and never older than the caller's
 * look-up. What a cursor leads to is of exactly its version.
 */
export function createReadSamples(): ReadSamples {
  const cache = createAnswerCache<SamplesAnswer>(cacheBytesMax)
  return async (read, request) => {
    const { companyId, projectionId, samplesVersion, cursor, isCsv = false } = request
    const query = queryKey(request)
    const digest = digestQuery(query)
    if (cursor !== undefined) {
      if (cursor.digest !== digest || formatDay(cursor.startDay) < request.window.from) refuseCursor()
      if (cursor.projectionId !== projectionId || cursor.samplesVersion !== samplesVersion) throw changed()
    }
    const key = `${query} ${projectionId} ${isCsv} ${cursor?.startDay} ${cursor?.startCell}`
    const based = { companyId, basis: samplesVersionBasis(request), isSnapshot: cursor !== undefined }
    return cache.get(key, samplesVersion, () =>
      read(based, async (on) => {
        // In the same snapshot as the read: it may see more than the look-up did.
        if (cursor && !(await findSamplesVersion.first(on, request))) throw changed()
        return isCsv ? renderCsv(on, request, digest) : renderAnswer(on, request, digest)
      }),
    )
  }
}

function changed(): Error {
  return conflict(
    'The samples have changed since the answer that gave the cursor: read again from the start, without it.',
    'cursor',
  )
}

/** What the answer is made of, but for the version of the samples and the place in them. */
function queryKey(request: SamplesRequest): string {
  const { sourceId, sandbox, window, metric, labels, asOfMs } = request
  const key = `${sourceId} ${sandbox} ${window.from} ${window.to} ${window.narrowed}`
  if (metric === undefined && asOfMs === undefined && (labels?.size ?? 0) === 0) return key
  return key + JSON.stringify([metric, asOfMs, [...(labels ?? [])].toSorted()])
}

async function renderAnswer(on: Queryable, request: SamplesRequest, digest: string): Promise<SamplesAnswer> {
  const { from, to, narrowed } = request.window
  const window = JSON.stringify({ from, to, max_days: windowDaysMax, narrowed })
  const head = `{"source_id":"${request.sourceId}","window":${window},"samples":[`
  const { samples, tail, next } = await renderWithin(on, request, digest, head.length)
  return { ...toRenderedAnswer(`${head}${samples}${tail}`), next }
}

/** The same samples as in the JSON, which is never shorter. */
async function renderCsv(on: Queryable, request: SamplesRequest, digest: string): Promise<SamplesAnswer> {
  const { companyId, sourceId, projectionId, metric } = request
  const json = await renderAnswer(on, request, digest)
  const { samples } = JSON.parse(json.bytes.toString()) as { samples: Sample[] }
  const projection = await readProjection.first(on, { companyId, sourceId, projectionId })
  const metrics = projection?.metrics.filter((each) => metric === undefined || each.metric === metric) ?? []
  const labelNames = metrics.flatMap(({ group_by: names }) => names)
  const csv = toRenderedAnswer(writeSamplesCsv(samples, labelNames))
  // Its headers say what else the JSON does, and a tag of the rows alone would not change with that.
  const etag = csv.etag.slice(0, -1) + json.etag.slice(1)
  return { bytes: csv.bytes, etag, next: json.next }
}

/** Samples that fit into an answer together with `headBytes` and the tail, which has a cursor if any are left out. */
async function renderWithin(on: Queryable, request: SamplesRequest, digest: string, headBytes: number) {
  const { projectionId, samplesVersion, window } = request
  const bytesMax = answerBytesMax - headBytes
  let reserved = writeTail(false, null).length
  for (;;) {
    const rendered = await renderWindow(on, request, bytesMax - reserved)
    const { samples, truncated } = rendered
    const lastDay = readDay(window.to, 'to') - 1
    const next =
      rendered.next && writeSamplesCursor({ projectionId, samplesVersion, lastDay, digest }, rendered.next)
    const tail = writeTail(truncated, next)
    // Of answers that are cut off by their bytes, few leave no room for the cursor.
    const isWithin = next === null || Buffer.byteLength(samples ?? '') + tail.length <= bytesMax
    if (isWithin) return { samples: samples ?? '', tail, next }
    reserved = tail.length + 10
  }
}

async function renderWindow(
  on: Queryable,
  request: SamplesRequest,
  bytesMax: number,
): Promise<RenderedSamples> {
  const {
    companyId,
    sourceId,
    projectionId,
    sandbox,
    window,
    metric = null,
    labels,
    asOfMs,
    cursor,
  } = request
  const params: ProjectionParams & WindowParams = {
    companyId,
    sourceId,
    projectionId,
    sandbox,
    from: window.from,
    to: cursor === undefined ? window.to : formatDay(cursor.startDay + 1),
    metric,
    labels: labels && labels.size > 0 ? JSON.stringify(Object.fromEntries(labels)) : null,
    startCell: cursor?.startCell ?? null,
    samplesMax,
    bytesMax,
  }
  const projection =
    asOfMs === undefined && params.labels === null
      ? undefined
      : await readProjection.first(on, { companyId, sourceId, projectionId })
  if (projection && labels) requireKnownLabels(labels, projection.metrics)
  if (asOfMs === undefined) return (await renderSamples.first(on, params))!
  const asOf = storableInstant(asOfMs)
  if (projection?.delivers === 'statements') {
    return (await renderStatementsAsOf.first(on, { ...params, asOf }))!
  }
  const aggregations = JSON.stringify(
    Object.fromEntries(projection?.metrics.map((each) => [each.metric, each.aggregation]) ?? []),
  )
  return (await renderEventsAsOf.first(on, { ...params, asOf, aggregations }))!
}
