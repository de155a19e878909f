import { OverloadedError } from '../database/overloaded-error.ts'

/** How long a read waits for its turn before it is answered 503 with `Retry-After`, milliseconds. */
export const readWaitMsMax = 5_000

/** Reads of one company that wait for their turn; one more is answered 503 at once. */
export const companyReadsWaitingMax = 100

/** Of the connections that reads have, the share that one company uses at once; at least one connection. */
export const companyReadShare = 1 / 2

interface ReadLimiterOptions {
  /** Reads that are at the database at once. */
  readsMax: number
  /** Of them, those of one company. */
  companyReadsMax: number
  /** `readWaitMsMax` unless said. */
  waitMsMax?: number
}

/**
 * Does a read of a company when it is its turn. Rejects with an `OverloadedError` where the turn does not come in time, or
 * too many of the company wait already: nothing was read then.
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
 * Lets companies read beside each other: each has at most `companyReadsMax` reads at the database, all together
 * `readsMax`. What is more waits, and companies that wait take turns, however many reads each has waiting.
 */
export function createReadLimiter(options: ReadLimiterOptions): ReadLimiter {
  const { readsMax, companyReadsMax, waitMsMax = readWaitMsMax } = options
  /** Those that read or wait. In the order of their turns: a company that had one goes to the end. */
  const companies = new Map<string, CompanyReads>()
  let running = 0

  const startNext = (): void => {
    while (running < readsMax) {
      const next = [...companies].find(
        ([, { running: own, waiting }]) => waiting.length > 0 && own < companyReadsMax,
      )
      if (next === undefined) return
      const [companyId, company] = next
      companies.delete(companyId)
      companies.set(companyId, company)
      company.running++
      running++
      company.waiting.shift()!.start()
    }
  }

  const deleteIdle = (companyId: string, company: CompanyReads): void => {
    if (company.running === 0 && company.waiting.length === 0) companies.delete(companyId)
  }

  const end = (companyId: string, company: CompanyReads): void => {
    running--
    company.running--
    deleteIdle(companyId, company)
    startNext()
  }

  const turn = (companyId: string, company: CompanyReads): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        company.waiting.splice(company.waiting.indexOf(waiting), 1)
        deleteIdle(companyId, company)
        reject(new OverloadedError('a read did not get its turn in time'))
      }, waitMsMax)
      const waiting: Waiting = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      company.waiting.push(waiting)
      startNext()
    })

  return async (companyId, read) => {
    let company = companies.get(companyId)
    if (company === undefined) {
      company = { running: 0, waiting: [] }
      companies.set(companyId, company)
    }
    if (company.waiting.length >= companyReadsWaitingMax) {
      throw new OverloadedError('too many reads of the company wait')
    }
    if (running < readsMax && company.running < companyReadsMax && company.waiting.length === 0) {
      company.running++
      running++
    } else await turn(companyId, company)
    try {
      return await read()
    } finally {
      end(companyId, company)
    }
  }
}
