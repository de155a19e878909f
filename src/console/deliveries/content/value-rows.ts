import { numberRows, type PageRequest } from '../../../platform/http/pagination.ts'
import type { Metric } from '../../../engine/declarations/declaration.ts'
import { checkReportValue, type ReportValueRequest } from '../../values/report-value.ts'
import { toTerms } from './list-changed-samples.ts'
import { createPersonalNames } from '../../values/personal-names.ts'
import type { StoredDeliveryRow } from './queries.ts'
import { readStoredDelivery, type ContentContext } from './stored-delivery.ts'

/**
 * The rows of a delivery that count for a figure, a page at a time: parsed as the worker parses them, with what each
 * gave and what all of them come to, exactly. This is what the delivery states, whether or not a later one replaced it.
 * Personal fields are masked as on the delivery's page. A delivery that is queued or unreadable has no such rows; `state`
 * and `reason` say so. Computed in a thread, when it is the company's turn.
 *
 * @throws 404 without such a delivery or metric; 400 with the field of the figure that is wrong, `cursor` or `limit`
 */
export async function readValueRows(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  request: ReportValueRequest & PageRequest,
) {
  const { before: last, limit } = numberRows(request)
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    const figure = checkReportValue(row.metrics, request)
    const { fields, shown, personalNames } = maskFields([row])
    const task = {
      ...content,
      terms: toTerms(row),
      figure,
      request: { fields: shown, personalNames, after: Number(last ?? 0), limit },
    }
    const page = await context.threads.run('valueRows', task, [content.stored.content])
    const isHidden = hidesNumbers(row.metrics, request.metric, fields)
    const isParsed = row.state === 'parsed' && page.reason === null
    return {
      artifact_id: artifactId,
      metric: figure.metric,
      grain: figure.grain,
      period_start: figure.periodStart,
      labels: Object.fromEntries(figure.filter),
      except: Object.fromEntries(figure.except),
      state: isParsed ? 'parsed' : row.state === null ? 'queued' : 'unreadable',
      reason: page.reason,
      fields,
      value: isParsed ? page.value : null,
      rows_counted: isParsed ? page.rowsCounted : 0,
      rows_not_counted: isParsed ? page.rowsTotal - page.rowsCounted : 0,
      rows: isParsed ? page.rows.map((each) => ({ ...each, gave: isHidden ? null : each.gave })) : [],
      next_cursor: isParsed && page.hasMore ? toCursor(page.rows.at(-1)!.row) : null,
    }
  })
}

/** Names what comes next in a list of a delivery's rows. */
export function toCursor(number: number): string {
  return Buffer.from(String(number)).toString('base64url')
}

/** The fields of deliveries, and which are masked: those personal in the version of any of them or in the current one. */
export function maskFields(rows: readonly StoredDeliveryRow[]) {
  const all = rows.flatMap((row) => row.fields)
  const personalNames = [...all, ...rows.flatMap((row) => row.current_fields)].flatMap(({ name, personal }) =>
    personal ? [name] : [],
  )
  const personal = createPersonalNames(personalNames)
  const fields = [...new Map(all.toReversed().map((field) => [field.name, field])).values()]
    .toReversed()
    .map(({ name, type }) => ({ name, type, personal: personal.has(name) }))
  const shown = fields.map(({ name, personal: isMasked }) => ({ name, isMasked }))
  return { fields, shown, personalNames }
}

/** Whether what a row gave would reveal a masked number. */
export function hidesNumbers(
  metrics: readonly Metric[],
  key: string,
  fields: readonly { name: string; type: string; personal: boolean }[],
): boolean {
  const { field, times } = metrics.find(({ metric }) => metric === key)!
  return fields.some(
    ({ name, type, personal }) => personal && type === 'number' && (name === field || name === times),
  )
}
