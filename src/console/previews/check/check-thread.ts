import { aggregateDelivery } from '../../../engine/parsing/decode/aggregate-delivery.ts'
import { decodeContent } from '../../../engine/parsing/decode/decode-content.ts'
import { chooseEventTime, compilePlan } from '../../../engine/parsing/plan/compile-plan.ts'
import type { Refusal } from '../../../engine/parsing/plan/refusal.ts'
import { reportRemarks, type ReportedRemarks } from '../../../engine/parsing/plan/remarks.ts'
import type { Metric, Shape } from '../../../engine/declarations/declaration.ts'
import type { ReadDelivery } from '../../../engine/deliveries/intake/delivery.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'

/** A push as it would be stored, and what parsing it needs. */
export interface CheckTask {
  delivery: Pick<ReadDelivery, 'content' | 'contentEncoding' | 'contentBytes' | 'format' | 'droppedKeys'>
  /** Of the shape version that it names. */
  shape: Shape
  /** Those of the current projection. */
  projectedEventTime: string
  metrics: Metric[]
  timeZone: string
  salt: Uint8Array
  nowMs: number
}

/** What parsing a push would find. Holds no value of a row, as what is stored of a delivery holds none. */
export interface CheckedPush {
  state: 'parsed' | 'unreadable'
  reason: string | null
  rowsAccepted: number
  rowsRefused: number
  rowsDateAlone: number
  refusals: Refusal[]
  remarks: ReportedRemarks
}

const none = { rowsAccepted: 0, rowsRefused: 0, rowsDateAlone: 0, refusals: [], remarks: reportRemarks({}) }

/** Parses a push with the code that parses stored deliveries, storing nothing. */
export function checkPush(task: CheckTask): CheckedPush {
  const { delivery, shape, projectedEventTime, metrics, timeZone, salt, nowMs } = task
  const eventTime = chooseEventTime(shape, projectedEventTime)
  const plan = compilePlan({ ...shape, event_time: eventTime }, metrics, new TimeZone(timeZone), salt)
  const { content, contentEncoding, contentBytes, format, droppedKeys } = delivery
  const decoded = decodeContent({
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    content_encoding: contentEncoding,
    content_bytes: contentBytes,
  })
  const result = aggregateDelivery(plan, decoded, format, { receivedAt: new Date(nowMs) })
  if (result.state === 'unreadable') return { ...none, state: 'unreadable', reason: result.reason }
  const { rowsAccepted, rowsRefused, rowsDateAlone, refusals } = result
  const remarks = reportRemarks(result.remarks, droppedKeys)
  return { state: 'parsed', reason: null, rowsAccepted, rowsRefused, rowsDateAlone, refusals, remarks }
}
