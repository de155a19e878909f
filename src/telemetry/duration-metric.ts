import type { Metric, Registry } from 'prom-client'

interface Slot {
  route: string
  method: string
  status: number
  /** How many observations were at most the bucket's bound, and above all bounds, each counted once. */
  counts: Float64Array
  sum: number
}

/**
 * A histogram of answers by route pattern, method and status. prom-client's own sorts and joins its labels into a key
 * for each observation, a twentieth of what a whole request costs; this one looks three small maps up.
 */
export class DurationMetric {
  readonly name: string
  readonly help: string
  readonly #boundsSeconds: readonly number[]
  readonly #slots = new Map<string, Map<string, Map<number, Slot>>>()

  constructor(name: string, help: string, boundsSeconds: readonly number[], registry: Registry) {
    this.name = name
    this.help = help
    this.#boundsSeconds = boundsSeconds
    // The registry asks a metric for its name and its values, nothing more.
    registry.registerMetric(this as unknown as Metric)
  }

  observe(route: string, method: string, status: number, seconds: number): void {
    const slot = this.#slots.get(route)?.get(method)?.get(status) ?? this.#addSlot(route, method, status)
    const bounds = this.#boundsSeconds
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index++
    slot.counts[index]!++
    slot.sum += seconds
  }

  #addSlot(route: string, method: string, status: number): Slot {
    const slot = { route, method, status, counts: new Float64Array(this.#boundsSeconds.length + 1), sum: 0 }
    const byMethod = this.#slots.get(route) ?? new Map<string, Map<number, Slot>>()
    const byStatus = byMethod.get(method) ?? new Map<number, Slot>()
    this.#slots.set(route, byMethod)
    byMethod.set(method, byStatus)
    byStatus.set(status, slot)
    return slot
  }

  /** In prom-client's form. */
  async get(): Promise<object> {
    const values: { labels: Record<string, string | number>; value: number; metricName: string }[] = []
    for (const byMethod of this.#slots.values()) {
      for (const byStatus of byMethod.values()) {
        for (const { route, method, status, counts, sum } of byStatus.values()) {
          const labels = { route, method, status }
          let total = 0
          for (const [index, count] of counts.entries()) {
            total += count
            const le = this.#boundsSeconds[index] ?? '+Inf'
            values.push({ labels: { ...labels, le }, value: total, metricName: `${this.name}_bucket` })
          }
          values.push({ labels, value: sum, metricName: `${this.name}_sum` })
          values.push({ labels, value: total, metricName: `${this.name}_count` })
        }
      }
    }
    return { name: this.name, help: this.help, type: 'histogram', values, aggregator: 'sum' }
  }
}
