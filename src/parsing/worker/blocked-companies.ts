/**
 * How long a company's small deliveries are left alone that had to wait for a lock, in milliseconds; each time for
 * twice as long.
 */
export const blockedMs = 500
/** The longest that they are left alone; it grows no further. Milliseconds. */
export const blockedMsMax = 4_000

/** Instants as of `performance.now`. */
interface Blocked {
  untilMs: number
  delayMs: number
}

/** The companies whose small deliveries waited for a lock. They are left alone for a while; then each goes alone. */
export class BlockedCompanies {
  readonly #blocked = new Map<string, Blocked>()

  get size(): number {
    return this.#blocked.size
  }

  ids(): string[] {
    return [...this.#blocked.keys()]
  }

  /** Of several companies it is not known which one had to wait: each goes alone once, at once. */
  add(companies: ReadonlySet<string>): void {
    for (const company of companies) {
      const before = this.#blocked.get(company)
      const delayMs = companies.size > 1 ? 0 : Math.min((before?.delayMs ?? 0) * 2 || blockedMs, blockedMsMax)
      this.#blocked.set(company, { untilMs: performance.now() + delayMs, delayMs })
    }
  }

  delete(company: string): void {
    this.#blocked.delete(company)
  }

  /** A company that may be tried again. */
  due(): string | undefined {
    if (this.#blocked.size === 0) return undefined
    const nowMs = performance.now()
    for (const [company, { untilMs }] of this.#blocked) if (untilMs <= nowMs) return company
    return undefined
  }
}
