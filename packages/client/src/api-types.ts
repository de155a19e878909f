// Written by `npm run openapi` from the contracts of the API.

export interface NumeraApi {
  'POST /v1/ingest': {
    query: {
      source_id?: string
      orgnr?: string
    }
    body: Delivery
    answer: Receipt
  }
  'GET /v1/deliveries/{artifact_id}': {
    path: {
      artifact_id: string
    }
    query: {
      orgnr?: string
    }
    answer: DeliveryReport
  }
  'GET /v1/deliveries': {
    query: {
      source_id?: string
      orgnr?: string
      after?: string
      state?: 'queued' | 'parsed' | 'unreadable'
      limit?: string
      wait?: string
    }
    answer: FollowedDeliveries
  }
  'POST /v1/ingest/check': {
    query: {
      source_id?: string
      orgnr?: string
    }
    body: Delivery
    answer: PushCheck
  }
  'GET /v1/samples': {
    query: {
      from?: string
      to?: string
      source_id?: string
      orgnr?: string
      metric?: string
      label?: {
        'label.country'?: string
        /**
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^label[.]".
         */
        [k: string]: string | undefined
      }
      as_of?: string
      cursor?: string
    }
    answer: Samples
  }
  'GET /v1/samples/trace': {
    query: {
      metric: string
      period_start: string
      label?: {
        'label.country'?: string
        /**
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^label[.]".
         */
        [k: string]: string | undefined
      }
      source_id?: string
      orgnr?: string
      cursor?: string
      limit?: string
    }
    answer: Trace
  }
  'GET /v1/sources': {
    query: {
      orgnr?: string
      cursor?: string
      limit?: string
    }
    answer: ReadableSources
  }
  'GET /v1/companies': {
    query: {
      orgnr?: string
    }
    answer: ReadableCompanies
  }
  'GET /v1/sources/{source_id}': {
    path: {
      source_id: string
    }
    query: {
      orgnr?: string
    }
    answer: DeclaredSource
  }
  'GET /v1/attention': {
    query: {
      orgnr?: string
    }
    answer: Attention
  }
  'POST /v1/webhooks/{source_id}': {
    path: {
      source_id: string
    }
    body:
      | {
          [k: string]: unknown
        }
      | {
          [k: string]: unknown
        }[]
    answer: Receipt
  }
}
export interface Delivery {
  idempotency_key: string
  shape_version: number
  payload:
    | {
        [k: string]: unknown
      }
    | {
        [k: string]: unknown
      }[]
}
export interface Receipt {
  artifact_id: string
  shape_version: number
  status: 'queued'
  sandbox: boolean
  /**
   * @maxItems 50
   */
  dropped_keys: string[]
  delivers: 'events' | 'statements'
}
export interface DeliveryReport {
  artifact_id: string
  source_id: string
  state: 'queued' | 'parsed' | 'unreadable'
  reason: string | null
  received_at: string
  shape_version: number
  delivers: 'events' | 'statements'
  sandbox: boolean
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  dropped_keys: string[]
  missing_values: MissingValue[] | null
  rows_far_ahead: number | null
  far_ahead: FarAheadRow[]
  refusals: Refusal[]
}
export interface MissingValue {
  metric: string
  field: string
  rows: number
  similar_dropped_key?: string
}
export interface FarAheadRow {
  row: number
  line?: number
  day?: string
}
export interface Refusal {
  row: number
  line?: number
  field?: string
  code:
    | 'event_time_missing'
    | 'event_time_out_of_range'
    | 'value_not_plain'
    | 'text_too_long'
    | 'text_not_storable'
    | 'number_malformed'
    | 'number_too_long'
    | 'timestamp_malformed'
    | 'timestamp_no_offset'
    | 'timestamp_no_such_day'
    | 'timestamp_no_such_time'
    | 'bool_malformed'
    | 'label_too_long'
    | 'allowance_spent'
    | 'cells_differ'
  reason: string
}
export interface FollowedDeliveries {
  deliveries: FollowedDelivery[]
  cursor: string
  more: boolean
}
export interface FollowedDelivery {
  artifact_id: string
  source_id: string
  state: 'queued' | 'parsed' | 'unreadable'
  reason: string | null
  received_at: string
  shape_version: number
  delivers: 'events' | 'statements'
  sandbox: boolean
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
}
export interface PushCheck {
  outcome: 'accepted' | 'replayed' | 'refused'
  refusal: PushRefusal | null
  shape_version: number | null
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  delivers: 'events' | 'statements'
  sandbox: boolean
  /**
   * @maxItems 50
   */
  dropped_keys: string[]
  state: ('parsed' | 'unreadable') | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  missing_values: MissingValue[] | null
  rows_far_ahead: number | null
  far_ahead: FarAheadRow[]
  refusals: Refusal[]
}
export interface PushRefusal {
  status: 400 | 409 | 413
  code: string
  message: string
  field?: string
}
export interface Samples {
  source_id: string
  window: Window
  /**
   * @maxItems 5000
   */
  samples: Sample[]
  truncated: boolean
  next?: string
}
export interface Window {
  from: string
  to: string
  max_days: number
  narrowed: boolean
}
export interface Sample {
  metric: string
  period_start: string
  value: string
  labels: {
    [k: string]: string
  }
  sandbox: boolean
  artifact_id?: string
}
export interface Trace {
  source_id: string
  metric: string
  period_start: string
  labels: {
    [k: string]: string
  }
  sandbox: boolean
  value: string | null
  restated: boolean
  owner_artifact_id: string | null
  deliveries: TracedDelivery[]
  next_cursor: string | null
}
export interface TracedDelivery {
  artifact_id: string
  received_at: string
  value: string
  rows: number
  added: number | null
  event_at: string | null
  superseded: boolean
  step: string | null
  running: string | null
}
export interface ReadableSources {
  sources: ReadableSource[]
  next_cursor: string | null
}
export interface ReadableSource {
  source_id: string
  name: string
  delivers: 'events' | 'statements'
  shape_version: number
  paused: boolean
}
export interface ReadableCompanies {
  companies: ReadableCompany[]
}
export interface ReadableCompany {
  orgnr: string
  name: string
  time_zone: string
}
export interface DeclaredSource {
  source_id: string
  name: string
  channel: 'push' | 'webhook'
  format: ('json' | 'json_lines' | 'csv' | 'sie') | null
  shape_version: number
  paused: boolean
  /**
   * @minItems 1
   * @maxItems 200
   */
  fields: Field[]
  event_time: string
  /**
   * @maxItems 100
   */
  metrics: Metric[]
  delivers: 'events' | 'statements'
}
export interface Field {
  name: string
  type: 'number' | 'text' | 'timestamp' | 'bool'
  personal: boolean
}
export interface Metric {
  metric: string
  aggregation: 'sum' | 'count' | 'count_distinct' | 'min' | 'max' | 'last'
  field?: string
  times?: string
  /**
   * @maxItems 20
   */
  filters: (
    | {
        field: string
        comparison: '=' | '≠' | '<' | '≤' | '>' | '≥'
        value: string
      }
    | {
        field: string
        comparison: 'in'
        /**
         * @minItems 1
         * @maxItems 1000
         */
        values: string[]
      }
  )[]
  /**
   * @maxItems 20
   */
  group_by: string[]
  period: 'day' | 'week' | 'month'
}
export interface Attention {
  items: AttentionItem[]
  more: boolean
}
export interface AttentionItem {
  key: string
  version: string
  kind:
    | 'source_late'
    | 'period_corrected'
    | 'rows_refused'
    | 'paused_refusing'
    | 'connection_ends'
    | 'credential_ends'
    | 'secret_ends'
    | 'limit_near'
    | 'parsing_late'
  since: string | null
  source: {
    source_id: string
    name: string
  } | null
  connection: {
    connection_id: string
    name: string
  } | null
  metric: string | null
  period_start: string | null
  artifact_id: string | null
  count: number | null
  ends_at: string | null
  limit: string | null
  done_at: string | null
}
