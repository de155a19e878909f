import type { Declaration, Field } from '../../engine/declarations/declaration.ts'
import { aggregateDelivery } from '../../engine/parsing/decode/aggregate-delivery.ts'
import { chooseEventTime, compilePlan } from '../../engine/parsing/plan/compile-plan.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { createPersonalNames } from '../values/personal-names.ts'
import type { DeliveryForPreview } from './delivery-for-preview.ts'
import { type Comparison, type Preview, previewDeliveries } from './preview-deliveries.ts'

/**
 * Previews a delivery as if it were sent with a declaration, and compares its refused rows with those of the delivery as
 * it was sent. Keys that it dropped are missing. Pure.
 *
 * Removing a personal mark in the declaration reveals nothing: a field that is personal in the version that the delivery
 * was sent with or in the current one stays so.
 */
export function previewAsIfSent(
  declaration: Declaration,
  delivery: DeliveryForPreview,
  content: Uint8Array,
  zone: TimeZone,
): Preview {
  const { shape, projected, salt, format } = delivery
  const fields = markPersonal(declaration.fields, [...shape.fields, ...delivery.currentFields])
  const then = { fields: shape.fields, event_time: chooseEventTime(shape, projected.event_time) }
  const refusedThen: number[] = []
  const planThen = { ...compilePlan(then, projected.metrics, zone, salt), refused: refusedThen }
  const { state: stateThen } = aggregateDelivery(planThen, content, format)
  const refusedNow: number[] = []
  const plan = {
    ...compilePlan({ ...declaration, fields }, declaration.metrics, zone, salt),
    refused: refusedNow,
  }
  const previewed = {
    ...delivery,
    content,
    plan,
    personal: new Set(fields.flatMap(({ name, personal }) => (personal ? [name] : []))),
    daysFrom: new Date(delivery.receivedAt),
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
