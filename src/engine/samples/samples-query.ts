import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { PageRequest } from '../../platform/http/pagination.ts'
import { nameAdvice, shownName } from '../../platform/http/requests/query-parameters.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import { knownMetrics } from '../declarations/known-metrics.ts'

const metricKeys = knownMetrics.map(({ key }) => key)

/** The parameter `metric`, if it is given. @throws 400 as `queryText`, and where there is no such metric [read.unknown] */
export function queryMetric(query: RawQuery): string | undefined {
  const metric = queryText(query, 'metric')
  if (metric === undefined || metricKeys.includes(metric)) return metric
  throw invalidArgument(`metric is not a known metric; ${nameAdvice(metric, metricKeys)}`, 'metric')
}

const labelPrefix = 'label.'

/** The parameters `label.<name>` as label names with their values. @throws 400 as `queryText` */
export function queryLabels(query: RawQuery): Map<string, string> {
  const labels = new Map<string, string>()
  for (const name of Object.keys(query)) {
    if (!name.startsWith(labelPrefix)) continue
    const label = name.slice(labelPrefix.length)
    if (label.includes('\0')) throw invalidArgument(`${labelPrefix}… is not valid text.`, labelPrefix)
    labels.set(label, queryText(query, name)!)
  }
  return labels
}

/**
 * The page that a query asks for. A limit that is not a number is refused like one that is out of bounds.
 *
 * @throws 400 as `queryText`
 */
export function queryPage(query: RawQuery): PageRequest {
  const cursor = queryText(query, 'cursor')
  const limit = queryText(query, 'limit')
  return {
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit: /^[0-9]{1,3}$/.test(limit) ? Number(limit) : Number.NaN }),
  }
}

/**
 * Refuses labels that no metric of the source has [read.unknown].
 *
 * @throws 400 with the first such parameter
 */
export function requireKnownLabels(
  labels: ReadonlyMap<string, string>,
  metrics: readonly { group_by: string[] }[],
): void {
  const known = new Set(metrics.flatMap(({ group_by: names }) => names))
  for (const name of labels.keys()) {
    if (known.has(name)) continue
    const given = labelPrefix + name
    const advice = nameAdvice(
      given,
      [...known].map((each) => labelPrefix + each),
    )
    throw invalidArgument(`\`${shownName(given)}\` is not a label of the source; ${advice}`, shownName(given))
  }
}
