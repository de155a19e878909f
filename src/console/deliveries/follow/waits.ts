import { setTimeout as sleep } from 'node:timers/promises'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import { countAs } from '../../../platform/database/pool-shares.ts'
import { rateLimited } from '../../../platform/rate-limit/rate-limited.ts'

/** How often deliveries are looked at for those who wait, in milliseconds; once for all who wait for a company. */
const lookEveryMs = 1_000
/** How long looking for one company delays the next one, in milliseconds; after that they run side by side. */
const lookMsMax = 20

/** Calls of one connection that wait in a process; a further one is 429. */
export const connectionWaitsMax = 20
/** The same for one company; a further one is 503. */
export const companyWaitsMax = 500
/** The same for a process. */
export const waitsMax = 2_000

/** A call that waits for a change. It holds no connection of the database. */
export interface Wait {
  companyId: string
  connectionId: string
}

export interface Waits<Call extends Wait> extends Disposable {
  /**
   * Settles with true once something has changed for the call; with false once the time is over, the client has disconnected,
   * or the process stops.
   *
   * @throws 429, OverloadedError when too many calls wait
   */
  wait(call: Call, msMax: number, gone: AbortSignal): Promise<boolean>
}

interface WaitsOptions<Call extends Wait> {
  /** Those of a company's calls for which something has changed. Rejects when that cannot be determined now. */
  look: (companyId: string, calls: readonly Call[]) => Promise<readonly Call[]>
  lookEveryMs?: number
}

export function createWaits<Call extends Wait>(options: WaitsOptions<Call>): Waits<Call> {
  return new WaitingCalls(options)
}

type EndWait = (isChanged: boolean) => void

class WaitingCalls<Call extends Wait> implements Waits<Call> {
  readonly #options: WaitsOptions<Call>
  /** What ends each call's wait, by company. */
  readonly #companies = new Map<string, Map<Call, EndWait>>()
  readonly #looking = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #isDisposed = false
  #waiting = 0

  constructor(options: WaitsOptions<Call>) {
    this.#options = options
  }

  async wait(call: Call, msMax: number, gone: AbortSignal): Promise<boolean> {
    if (this.#isDisposed || gone.aborted) return false
    const { companyId, connectionId } = call
    const calls = this.#companies.get(companyId) ?? new Map<Call, EndWait>()
    const ofConnection = [...calls.keys()].filter((other) => other.connectionId === connectionId)
    if (ofConnection.length >= connectionWaitsMax) {
      throw rateLimited(1, { message: 'The connection has too many calls that wait; leave wait out.' })
    }
    if (calls.size >= companyWaitsMax || this.#waiting >= waitsMax) {
      throw new OverloadedError('too many calls wait for deliveries')
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, msMax, false)
    gone.addEventListener('abort', () => resolve(false), { once: true })
    this.#companies.set(companyId, calls.set(call, resolve))
    this.#waiting++
    this.#start()
    const isChanged = await promise
    clearTimeout(timer)
    this.#waiting--
    calls.delete(call)
    if (calls.size === 0) this.#companies.delete(companyId)
    if (this.#waiting === 0) this.#stop()
    return isChanged
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const calls of this.#companies.values()) for (const end of calls.values()) end(false)
  }

  #start(): void {
    const everyMs = this.#options.lookEveryMs ?? lookEveryMs
    // The timer belongs to all who wait, not to the company that waited first.
    this.#timer ??= countAs(undefined, () => setInterval(() => void this.#look(), everyMs).unref())
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** One company after another, to leave connections to reads; but a slow company does not delay the others. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (const [companyId, calls] of this.#companies) {
      if (this.#looking.has(companyId)) continue
      await Promise.race([this.#lookFor(companyId, calls), sleep(lookMsMax, undefined, { ref: false })])
    }
    this.#isLooking = false
  }

  async #lookFor(companyId: string, calls: Map<Call, EndWait>): Promise<void> {
    this.#looking.add(companyId)
    try {
      for (const call of await this.#options.look(companyId, [...calls.keys()])) calls.get(call)?.(true)
    } catch {
      // The database is unavailable: the next look tries again.
    } finally {
      this.#looking.delete(companyId)
    }
  }
}
