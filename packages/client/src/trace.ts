import type { NumeraApi } from './api-types.ts'
import { type CamelCase, toCamelCase } from './camel-case.ts'
import { Decimal } from './decimal.ts'
import type { Scope } from './scope.ts'

export interface TraceQuery extends Scope {
  metric: string
  periodStart: string
  /** All of the sample's labels. */
  labels?: Readonly<Record<string, string>>
  /** `nextCursor` of the page before. */
  cursor?: string
}

type WireTrace = NumeraApi['GET /v1/samples/trace']['answer']
type Exact<T, Names extends PropertyKey> = {
  [Name in keyof T]: Name extends Names ? Decimal | (null & T[Name]) : T[Name]
}
export type TracedDelivery = Exact<CamelCase<WireTrace['deliveries'][number]>, 'value' | 'step' | 'running'>
export type Trace = Exact<Omit<CamelCase<WireTrace>, 'deliveries'>, 'value'> & {
  deliveries: TracedDelivery[]
}

const toDecimal = (text: string | null): Decimal | null => (text === null ? null : Decimal.from(text))

export function toTrace(json: Record<string, unknown>): Trace {
  const trace = json as unknown as WireTrace
  const deliveries = trace.deliveries.map((delivery) => ({
    ...toCamelCase(delivery),
    value: Decimal.from(delivery.value),
    step: toDecimal(delivery.step),
    running: toDecimal(delivery.running),
  }))
  return { ...toCamelCase(trace), value: toDecimal(trace.value), deliveries }
}
