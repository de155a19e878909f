import { OverloadedError } from '../database/overloaded-error.ts'

/** How long a read waits for its turn before it is answered 503 with `Retry-After`, in milliseconds. */
export const readWaitMsMax = 5_000

/** Reads of one company that wait for their turn; one more is answered 503 at once. */
export const companyReadsWaitingMax = 100

/** The share of the connections for reads that one company uses at once; at least one connection. */
export const companyReadShare = 1 / 2

interface ReadLimiterOptions {
  /** Reads that are at the database at once. */
  readsMax: number
  /** Of these, those of one company. */
  companyReadsMax: number
  /** `readWaitMsMax` by default. */
  waitMsMax?: number
  /** `companyReadsWaitingMax` unless said. */
  companyWaitingMax?: number
}

/**
 * Runs a read of a company when its turn comes. Rejects with an `OverloadedError`, without reading, if the turn does
 * not come in time or too many of the company's reads wait already.
 */
export type ReadLimiter = <T>(companyId: string, read: () => Promise<T>) => Promise<T>

interface Waiting {
  start: () => void
}

interface CompanyReads {
  running: number
  waiting: Waiting[]
}

/**
 * Shares the database among companies: each has at most `companyReadsMax` reads there at once, all together `readsMax`.
 * The others wait, and waiting companies take turns, however many reads each has.
 */
export function createReadLimiter(options: ReadLimiterOptions): ReadLimiter {
  const turns = new ReadTurns(options)
  return async (companyId, read) => {
    const company = turns.join(companyId)
    if (!turns.tryTake(company)) await turns.wait(companyId, company)
    try {
      return await read()
    } finally {
      turns.giveBack(companyId, company)
    }
  }
}

class ReadTurns {
  readonly #readsMax: number
  readonly #companyReadsMax: number
  readonly #waitMsMax: number
  readonly #companyWaitingMax: number
  /** Companies that read or wait, in the order of their turns: one that had a turn goes to the end. */
  readonly #companies = new Map<string, CompanyReads>()
  #running = 0

  constructor(options: ReadLimiterOptions) {
    this.#readsMax = options.readsMax
    this.#companyReadsMax = options.companyReadsMax
    this.#waitMsMax = options.waitMsMax ?? readWaitMsMax
    this.#companyWaitingMax = options.companyWaitingMax ?? companyReadsWaitingMax
  }

  /** @throws OverloadedError if too many reads of the company wait */
  join(companyId: string): CompanyReads {
    const company = this.#companies.get(companyId) ?? { running: 0, waiting: [] }
    if (company.waiting.length >= this.#companyWaitingMax) {
      throw new OverloadedError('too many reads of the company wait')
    }
    this.#companies.set(companyId, company)
    return company
  }

  /** Takes a turn that is free now, and says whether there was one. */
  tryTake(company: CompanyReads): boolean {
    const isFree = this.#running < this.#readsMax && company.running < this.#companyReadsMax
    if (!isFree || company.waiting.length > 0) return false
    this.#count(company)
    return true
  }

  /** @throws OverloadedError if its turn does not come in time */
  wait(companyId: string, company: CompanyReads): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      company.waiting.splice(company.waiting.indexOf(waiting), 1)
      this.#deleteIdle(companyId, company)
      reject(new OverloadedError('a read did not get its turn in time'))
    }, this.#waitMsMax)
    const waiting: Waiting = {
      start: () => {
        clearTimeout(timer)
        resolve()
      },
    }
    company.waiting.push(waiting)
    this.#startNext()
    return promise
  }

  giveBack(companyId: string, company: CompanyReads): void {
    this.#running--
    company.running--
    this.#deleteIdle(companyId, company)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#running < this.#readsMax) {
      const next = [...this.#companies].find(
        ([, { running, waiting }]) => waiting.length > 0 && running < this.#companyReadsMax,
      )
      if (next === undefined) return
      const [companyId, company] = next
      this.#companies.delete(companyId)
      this.#companies.set(companyId, company)
      this.#count(company)
      company.waiting.shift()!.start()
    }
  }

  #count(company: CompanyReads): void {
    company.running++
    this.#running++
  }

  #deleteIdle(companyId: string, company: CompanyReads): void {
    if (company.running === 0 && company.waiting.length === 0) this.#companies.delete(companyId)
  }
}
