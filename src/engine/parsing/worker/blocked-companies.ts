/**
 * How long a company's small deliveries are left alone after they had to wait for a lock, in milliseconds; twice as
 * long each time.
 */
const blockedMs = 500
/** The longest that they are left alone, in milliseconds. */
const blockedMsMax = 4_000

/** Instants by `performance.now()`. */
interface Blocked {
  untilMs: number
  delayMs: number
}

/** Companies whose small deliveries waited for a lock. Each is left alone for a while and then tried alone. */
export class BlockedCompanies {
  readonly #blocked = new Map<string, Blocked>()

  get size(): number {
    return this.#blocked.size
  }

  ids(): string[] {
    return [...this.#blocked.keys()]
  }

  /** Where there are several, any of them may have had to wait: each is tried alone, immediately. */
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

  /** A company that may be tried again now. */
  due(): string | undefined {
    if (this.#blocked.size === 0) return undefined
    const nowMs = performance.now()
    for (const [company, { untilMs }] of this.#blocked) if (untilMs <= nowMs) return company
    return undefined
  }
}
