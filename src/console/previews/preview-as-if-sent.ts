import type { Declaration, Field } from '../../engine/declarations/declaration.ts'
import { aggregateDelivery } from '../../engine/parsing/decode/aggregate-delivery.ts'
import { decodeContent } from '../../engine/parsing/decode/decode-content.ts'
import { chooseEventTime, compilePlan } from '../../engine/parsing/plan/compile-plan.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { createPersonalNames } from '../values/personal-names.ts'
import { type Comparison, type Preview, previewDeliveries } from './preview-deliveries.ts'
import type { StoredForPreview } from './stored-for-preview.ts'

/** A delivery's content as it was sent. */
export function decodeStored({
  content,
  encoding,
  contentBytes,
}: StoredForPreview['deliveries'][number]): Uint8Array {
  return decodeContent({
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    content_encoding: encoding,
    content_bytes: contentBytes,
  })
}

/**
 * Previews the only stored delivery as if it were sent with a declaration, and compares its refused rows with those that it
 * has by the saved one. Keys that it dropped are missing. Pure.
 *
 * Removing a personal mark in the declaration reveals nothing: a field that is personal in the version that the delivery
 * was sent with or in the saved one stays so.
 */
export function previewAsIfSent(
  declaration: Declaration,
  saved: Declaration,
  { deliveries: [delivery], shapes: [shape], salt }: StoredForPreview,
  zone: TimeZone,
): Preview {
  const content = decodeStored(delivery!)
  const { receivedAt, format } = delivery!
  const fields = markPersonal(declaration.fields, [...shape!.fields, ...saved.fields])
  const then = { fields: shape!.fields, event_time: chooseEventTime(shape!, saved.event_time) }
  const refusedThen: number[] = []
  const planThen = { ...compilePlan(then, saved.metrics, zone, salt), refused: refusedThen }
  const { state: stateThen } = aggregateDelivery(planThen, content, format)
  const refusedNow: number[] = []
  const plan = {
    ...compilePlan({ ...declaration, fields }, declaration.metrics, zone, salt),
    refused: refusedNow,
  }
  const previewed = {
    ...delivery!,
    content,
    plan,
    personal: new Set(fields.flatMap(({ name, personal }) => (personal ? [name] : []))),
    daysFrom: new Date(receivedAt),
    droppedKeys: [],
  }
  const preview = previewDeliveries(declaration, [() => previewed], () => 0)
  const isReadable = stateThen === 'parsed' && preview.deliveries[0]!.state === 'parsed'
  return { ...preview, compared: isReadable ? compareRefused(refusedThen, refusedNow) : null }
}

function markPersonal(fields: readonly Field[], known: readonly Field[]): Field[] {
  const names = createPersonalNames([...fields, ...known].flatMap((f) => (f.personal ? [f.name] : [])))
  return fields.map((field) => ({ ...field, personal: names.has(field.name) }))
}

/** @param then in ascending order, like `now` */
function compareRefused(then: readonly number[], now: readonly number[]): Comparison {
  let both = 0
  let at = 0
  for (const row of now) {
    while (at < then.length && then[at]! < row) at++
    if (then[at] === row) both++
  }
  return {
    rowsRefused: then.length,
    rowsNewlyAccepted: then.length - both,
    rowsNewlyRefused: now.length - both,
  }
}
