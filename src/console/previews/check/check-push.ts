import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock/clock.ts'
import { ApiError } from '../../../platform/http/errors/errors.ts'
import { assess, type Assessment } from '../../../engine/deliveries/store/accept.ts'
import { ownBytes } from '../../../engine/deliveries/intake/own-bytes.ts'
import { receivePush, type IngestContext } from '../../../engine/deliveries/push/ingest.ts'
import type { Admission } from '../../../people/access/admission.ts'
import type { Previews } from '../previews.ts'
import { selectCheckedShape } from '../queries.ts'
import type { CheckedPush } from './check-thread.ts'

export interface CheckContext extends IngestContext {
  previews: Previews
  clock: Clock
}

/** What a push would do, and what parsing it would find. */
export interface PushCheck {
  outcome: Assessment['outcome']
  /** The error that it would be answered with. */
  refusal: ApiError | null
  /** Null, like what was found, for a body that cannot be parsed. */
  delivery: Assessment['delivery']
  found: CheckedPush | null
}

/** Answers of a push that a check reports. */
const reportedStatuses = new Set([400, 409, 413])

/**
 * Receives a push as `ingest` does, and parses it as it would be once stored. Stores nothing.
 *
 * @throws ApiError of a push with any other status than 400, 409 and 413; 413 `too_large` where parsing takes more memory
 * than a preview may use
 * @throws OverloadedError as a preview
 */
export async function checkPush(
  context: CheckContext,
  message: IncomingMessage,
  admission: Admission,
): Promise<PushCheck> {
  let isAssessed = false
  try {
    return await receivePush(context, message, admission, async (at, read, target) => {
      const { delivery, ...assessed } = await assess(at, read, target)
      isAssessed = true
      const found = delivery && (await parse(context, admission, { ...assessed, delivery }))
      return { ...assessed, delivery, found }
    })
  } catch (error) {
    if (isAssessed || !(error instanceof ApiError) || !reportedStatuses.has(error.status)) throw error
    return { outcome: 'refused', refusal: error, delivery: null, found: null }
  }
}

async function parse(
  { previews, clock }: CheckContext,
  { company, source }: Admission,
  { delivery, at }: Pick<Assessment, 'at'> & { delivery: NonNullable<Assessment['delivery']> },
): Promise<CheckedPush> {
  const { companyId, timeZone } = company!
  const { shapeVersion, contentEncoding, contentBytes, format, droppedKeys } = delivery
  return previews.inTurn(companyId, async () => {
    const row = await selectCheckedShape.first(at.pool, {
      companyId,
      sourceId: source!.sourceId,
      shapeVersion,
    })
    const { fields, event_time, projected_event_time: projectedEventTime, metrics, distinct_salt } = row!
    const content = ownBytes(delivery.content)
    const task = {
      delivery: { content, contentEncoding, contentBytes, format, droppedKeys },
      shape: { fields, event_time },
      projectedEventTime,
      metrics,
      timeZone,
      salt: new Uint8Array(distinct_salt),
      nowMs: clock.now(),
    }
    return previews.run('checkPush', task, [content])
  })
}
