/**
 * What a source declares: its fields (its shape), the event time, and the metrics counted from them.
 * Source: specification "Source declaration", [fold.metric] and [fold.once].
 */
import type { Period } from '../../formats/values/period.ts'
import type { Aggregation } from '../aggregations/aggregations.ts'
import type { FieldType } from '../fields/field-value.ts'

export interface Field {
  name: string
  type: FieldType
  /** May be filtered on and counted distinct; never a label, never returned in a sample. */
  personal: boolean
}

export const comparisons = ['=', '≠', '<', '≤', '>', '≥', 'in'] as const
export type Comparison = (typeof comparisons)[number]

/** A row passes when the comparison holds; every filter of a metric must hold. */
export type Filter =
  | { field: string; comparison: Exclude<Comparison, 'in'>; value: string }
  | { field: string; comparison: 'in'; values: string[] }

export interface Metric {
  /** A known metric key (`known-metrics.ts`), at most once on a source. */
  metric: string
  aggregation: Aggregation
  /** The field counted; only `count` may leave it out, and then counts rows. */
  field?: string
  /** With `sum`: the second factor, so that `field` × `times` is summed. */
  times?: string
  filters: Filter[]
  /** The fields whose values are the labels. */
  group_by: string[]
  period: Period
}

export const deliveryModes = ['events', 'statements'] as const
/** What a delivery is: rows to add, or the whole of every period it has a row in. */
export type Delivers = (typeof deliveryModes)[number]

/** One shape version. */
export interface Shape {
  fields: Field[]
  /**
   * The timestamp field from which a metric reads each row's day; of older versions' rows too, where those declare it as a
   * timestamp [fold.event-time].
   */
  event_time: string
}

/** One saved declaration. */
export interface Declaration extends Shape {
  metrics: Metric[]
  delivers: Delivers
}
