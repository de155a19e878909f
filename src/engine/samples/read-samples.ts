import type { Queryable } from '../../platform/database/pool.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import { toRenderedAnswer, type RenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { requireKnownLabels } from './samples-query.ts'
import { storableInstant } from '../../platform/reads/read-instant.ts'
import type { ReadOnBasis } from '../../platform/reads/read-on-basis.ts'
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
import { windowDaysMax, type Window } from '../../platform/reads/read-window.ts'

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
}

export interface ReadSamples {
  /**
   * The specification's Samples, as JSON.
   *
   * @param read on the company's shard, what is not answered from the cache
   * @throws 400 with a label that no metric of the projection has
   */
  (read: ReadOnBasis, request: SamplesRequest): Promise<RenderedAnswer>
}

/** Samples of one answer (specification, "Limits"). */
export const samplesMax = 5_000
/** Bytes of an answer's JSON [read.order]: what does not fit is left out at the end, and `truncated` is true. */
export const answerBytesMax = 8_388_608
function writeTail(truncated: boolean): string {
  return `],"truncated":${truncated}}`
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
 * look-up.
 */
export function createReadSamples(): ReadSamples {
  const cache = createAnswerCache(cacheBytesMax)
  return (read, request) =>
    cache.get(cacheKey(request), request.samplesVersion, () =>
      read({ companyId: request.companyId, basis: samplesVersionBasis(request) }, (on) =>
        renderAnswer(on, request),
      ),
    )
}

function cacheKey(request: SamplesRequest): string {
  const { sourceId, projectionId, sandbox, window, metric, labels, asOfMs } = request
  const key = `${sourceId} ${projectionId} ${sandbox} ${window.from} ${window.to} ${window.narrowed}`
  if (metric === undefined && asOfMs === undefined && (labels?.size ?? 0) === 0) return key
  return key + JSON.stringify([metric, asOfMs, [...(labels ?? [])].toSorted()])
}

async function renderAnswer(on: Queryable, request: SamplesRequest): Promise<RenderedAnswer> {
  const { from, to, narrowed } = request.window
  const window = JSON.stringify({ from, to, max_days: windowDaysMax, narrowed })
  const head = `{"source_id":"${request.sourceId}","window":${window},"samples":[`
  const bytesMax = answerBytesMax - head.length - writeTail(false).length
  const { samples, truncated } = await renderWindow(on, request, bytesMax)
  return toRenderedAnswer(`${head}${samples ?? ''}${writeTail(truncated)}`)
}

async function renderWindow(
  on: Queryable,
  request: SamplesRequest,
  bytesMax: number,
): Promise<RenderedSamples> {
  const { companyId, sourceId, projectionId, sandbox, window, metric = null, labels, asOfMs } = request
  const params: ProjectionParams & WindowParams = {
    companyId,
    sourceId,
    projectionId,
    sandbox,
    from: window.from,
    to: window.to,
    metric,
    labels: labels && labels.size > 0 ? JSON.stringify(Object.fromEntries(labels)) : null,
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
