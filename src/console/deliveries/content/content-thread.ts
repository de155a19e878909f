/** What runs in the worker threads of `content-threads.ts`: one delivery's content at a time. */
import type { Format } from '../../../engine/formats/formats.ts'
import type { RefusalGroup } from '../../../engine/parsing/plan/refusal.ts'
import { decodeContent, type StoredContent } from '../../../engine/parsing/decode/decode-content.ts'
import type { ReportValue } from '../../values/report-value.ts'
import {
  aggregateAgain,
  findChangedCells,
  type AggregatingTerms,
  type ChangedCells,
} from './changed-cells.ts'
import { readValuePage, type ValuePage } from './count-value.ts'
import { findDifference, type DifferenceRequest, type FoundDifference } from './difference.ts'
import { readShownRows, type RowRequest, type ShownRows } from './shown-rows.ts'

/** The content of a delivery as it is stored. */
export interface ContentTask {
  format: Format
  stored: Omit<StoredContent, 'content'> & { content: Uint8Array }
}

function decode({ stored }: ContentTask): Uint8Array {
  const { content } = stored
  // A Buffer comes out of another thread as plain bytes.
  return decodeContent({
    ...stored,
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  })
}

export function rows(task: ContentTask & { request: RowRequest }): ShownRows {
  return readShownRows(decode(task), task.format, task.request)
}

export function changedCells(
  task: ContentTask & { terms: AggregatingTerms; page: { offset: number; limit: number } },
): ChangedCells {
  return findChangedCells(decode(task), task.format, task.terms, task.page)
}

export function valueRows(
  task: ContentTask & { terms: AggregatingTerms; figure: ReportValue; request: RowRequest },
): ValuePage {
  return readValuePage(decode(task), task.format, task.terms, task.figure, task.request)
}

interface SideTask extends ContentTask {
  terms: AggregatingTerms
}

export function difference(task: {
  before: SideTask
  after: SideTask
  request: DifferenceRequest
}): FoundDifference {
  const [before, after] = [task.before, task.after].map((side) => ({ ...side, content: decode(side) }))
  return findDifference(before!, after!, task.request)
}

/** The refused rows by reason and field, with the first rows of each. */
export function refusals(
  task: ContentTask & { terms: AggregatingTerms; request: RowRequest },
): ShownRows & { groups: RefusalGroup[] } {
  const content = decode(task)
  const result = aggregateAgain(content, task.format, task.terms)
  const groups = result.state === 'parsed' ? result.refusalGroups : []
  const only = groups.flatMap(({ examples }) => examples).toSorted((a, b) => a - b)
  return { groups, ...readShownRows(content, task.format, { ...task.request, only }) }
}
