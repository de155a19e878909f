import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { numberRows, type PageRequest } from '../../../platform/http/pagination.ts'
import { checkReportValue, getCombination, type ReportValueRequest } from '../../values/report-value.ts'
import { differenceRowsMax } from './difference.ts'
import { hidesNumbers, maskFields, toCursor } from './value-rows.ts'
import { toTerms } from './list-changed-samples.ts'
import { readStoredDelivery, type ContentContext, type StoredDelivery } from './stored-delivery.ts'

export interface DifferenceOfRequest extends ReportValueRequest, PageRequest {
  /** The delivery that is compared with. */
  with: string
  /** Fields by which rows are matched; empty for a proposal. */
  key: readonly string[]
}

/**
 * What changed of the rows behind a figure from one delivery of a source to another, a page at a time: rows gone, added and
 * changed, whose differences add up to that of the two values, exactly. Masked fields are compared by their values and
 * shown masked. Computed in a thread, when it is the company's turn.
 *
 * @throws 404 without such a delivery or metric; 400 with the field that is wrong, or `grain` for too many rows
 */
export async function showDifference(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  request: DifferenceOfRequest,
) {
  const { before: passed, limit } = numberRows(request)
  const offset = Number(passed ?? 0)
  if (request.with === artifactId) throw invalidArgument('Name another delivery than this one.', 'with')
  return context.threads.inTurn(companyId, async () => {
    const after = await readStoredDelivery(context, companyId, artifactId)
    const before = await readStoredDelivery(context, companyId, request.with)
    const { metrics, source_id, sandbox } = after.row
    if (before.row.source_id !== source_id || before.row.sandbox !== sandbox) {
      throw invalidArgument('It belongs to another source, or is test data beside production.', 'with')
    }
    const figure = checkReportValue(metrics, request)
    const { fields, shown, personalNames } = maskFields([after.row, before.row])
    const unknown = request.key.find((name) => !fields.some((field) => field.name === name))
    if (unknown !== undefined) throw invalidArgument('The source declares no such field.', 'key')
    const metric = metrics.find((each) => each.metric === figure.metric)!
    const isAdded = getCombination(metric) === 'sum' && !hidesNumbers(metrics, figure.metric, fields)
    const found = await context.threads.run(
      'difference',
      {
        before: toSide(before),
        after: toSide(after),
        request: {
          figure,
          fields: shown.map((field, at) => ({ ...field, type: fields[at]!.type })),
          personalNames,
          key: request.key.length === 0 ? null : request.key,
          counted:
            metric.aggregation === 'sum'
              ? [metric.field!, ...(metric.times === undefined ? [] : [metric.times])]
              : [],
          isAdded,
          offset,
          limit,
        },
      },
      [before.content.stored.content, after.content.stored.content],
    )
    if (found === 'too_large') {
      throw invalidArgument(
        `More than ${differenceRowsMax.toLocaleString('en-US')} rows are behind this value: name a shorter period or a label.`,
        'grain',
      )
    }
    const named = { artifact_id: artifactId, with: request.with, fields }
    const state = toState(before, after, 'reason' in found ? found.reason : null)
    if ('reason' in found || state.state !== 'parsed') return { ...named, ...state, ...nothing }
    const { kinds, rowsSame, changes } = found
    return {
      ...named,
      ...state,
      key: found.key,
      key_unique: found.isKeyUnique,
      value_before: found.valueBefore,
      value_after: found.valueAfter,
      difference: found.difference,
      rows_same: rowsSame,
      ...kinds,
      rows: changes.map(({ fields: changed, ...change }) => ({ ...change, fields: changed })),
      next_cursor: found.hasMore ? toCursor(offset + changes.length) : null,
    }
  })
}

function toSide({ row, content }: StoredDelivery) {
  return { ...content, terms: toTerms(row) }
}

/** Whether both can be compared. */
function toState({ row: before }: StoredDelivery, { row: after }: StoredDelivery, reason: string | null) {
  const states = new Set([before.state, after.state])
  if (reason !== null || states.has('unreadable')) return { state: 'unreadable', reason } as const
  return { state: states.has(null) ? 'queued' : 'parsed', reason } as const
}

const none = { rows: 0, difference: null }
const nothing = {
  key: [],
  key_unique: false,
  value_before: null,
  value_after: null,
  difference: null,
  rows_same: 0,
  gone: none,
  added: none,
  changed: none,
  rows: [],
  next_cursor: null,
}
