/** What runs in the worker thread of `content-threads.ts`: one delivery's content at a time. */
import type { DeliveryFormat } from '../deliveries/intake/delivery.ts'
import { decodeContent, type StoredContent } from '../parsing/decode/decode-content.ts'
import { findChangedCells, type AggregatingTerms, type ChangedCells } from './changed-cells.ts'
import { readShownRows, type RowRequest, type ShownRows } from './shown-rows.ts'

interface Content {
  format: DeliveryFormat
  stored: Omit<StoredContent, 'content'> & { content: Uint8Array }
}

export interface RowsTask extends Content {
  task: 'rows'
  request: RowRequest
}

export interface CellsTask extends Content {
  task: 'cells'
  terms: AggregatingTerms
  page: { offset: number; limit: number }
}

export default (task: RowsTask | CellsTask): ShownRows | ChangedCells => {
  const { format, stored } = task
  const { content } = stored
  // A Buffer comes out of another thread as plain bytes.
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const decoded = decodeContent({ ...stored, content: bytes })
  return task.task === 'rows'
    ? readShownRows(decoded, format, task.request)
    : findChangedCells(decoded, format, task.terms, task.page)
}
