import { OverloadedError } from '../../database/overloaded-error.ts'
import { ApiError } from '../errors/errors.ts'

/**
 * The share of the budget that one company may use: pushes, and webhooks once their signature is verified. Beyond it:
 * 503.
 */
export const companyBodyShare = 1 / 4

/** The share that one client network without a credential may use. Beyond it: 503. */
export const networkBodyShare = 1 / 10

/** Up to this size a body is small, and may use the reserve. */
export const smallBodyBytesMax = 65_536

/** The part of the budget, and of each share, that is reserved for small bodies. */
const smallBodyReserve = 1 / 4

/**
 * The average rate that a body must have once `bodyGraceSeconds` are over. A slower one is 408, and its connection
 * ends.
 */
export const bodyBytesPerSecondMin = 8_192

/** How long a body may take before its rate counts. */
export const bodyGraceSeconds = 5

/** How often the rate of bodies is checked. Milliseconds. */
const sweepMs = 1_000

/** A body waits when this number of sweeps has passed since its last bytes: one to two seconds. */
const waitingSweeps = 2

/** A company, or a client network. */
interface Holder {
  /** Bytes. */
  readonly share: number
  bytes: number
  /** Bodies that were opened and not released. */
  bodies: number
  /** Unfinished bodies with bytes in memory, the one that has waited longest for more first. */
  readonly unfinished: Set<OpenBody>
}

/** One body in the budget. The code that opened it must release it. */
export interface ReservedBody {
  /**
   * Reserves bytes that have arrived. Throws an `OverloadedError` where the budget has none left; earlier ones stay
   * reserved until `release`.
   */
  reserve(bytes: number): void
  /** Counts bytes that arrived and are discarded. */
  count(bytes: number): void
  /**
   * From here on the body is incomplete; `cut` is called when it has to give way, never by `reserve` of the same body.
   */
  onCut(cut: (error: Error) => void): void
  /** It is complete. */
  complete(): void
  /** Moves it to the company's share. Throws an `OverloadedError` where that is used up. */
  transferTo(companyId: string): void
  release(): void
}

/** The memory budget for the bodies of a process. */
export interface BodyBudget extends Disposable {
  /** For an authenticated push. */
  openForCompany(companyId: string): ReservedBody
  /** For a caller without a credential yet; the network as `clientNetwork` gives it. */
  openForNetwork(network: string): ReservedBody
}

function budgetSpent(): OverloadedError {
  return new OverloadedError('too many bytes of bodies are in memory')
}
function preempted(): OverloadedError {
  return new OverloadedError('an unfinished body was cut for others')
}

/** `internal`, since what the caller should do is what that code says: send it again. */
function tooSlow(): ApiError {
  return new ApiError('internal', 'The body did not arrive in time; send it again.', {
    status: 408,
    headers: { Connection: 'close' },
  })
}

/** The part of the budget, and of a share, that a body of this size may use. */
function partFor(bytes: number): number {
  return bytes <= smallBodyBytesMax ? 1 : 1 - smallBodyReserve
}

function exceedsShare(holder: Holder, bytes: number, part: number): boolean {
  return holder.bytes + bytes > holder.share * part
}

/** Cuts the holder's body that has waited longest, unless it is `but` or has waited for less. False: there is none. */
function cutWaiting(holder: Holder, but: OpenBody, sweepsMin: number): boolean {
  for (const body of holder.unfinished) {
    if (body === but) continue
    if (body.idleSweeps < sweepsMin) return false
    body.cut(preempted())
    return true
  }
  return false
}

class OpenBody implements ReservedBody {
  idleSweeps = 0
  #ageSweeps = 0
  readonly #budget: Budget
  #holder: Holder
  /** In memory. */
  #bytes = 0
  /** In memory or discarded. */
  #arrivedBytes = 0
  #cut: ((error: Error) => void) | undefined

  #isReleased = false

  constructor(budget: Budget, holder: Holder) {
    this.#budget = budget
    this.#holder = holder
    holder.bodies++
  }

  reserve(bytes: number): void {
    const holder = this.#holder
    const budget = this.#budget
    const part = partFor(this.#bytes + bytes)
    if (exceedsShare(holder, bytes, part) || budget.isFull(bytes, part))
      budget.freeBytes(holder, this, bytes, part)
    holder.bytes += bytes
    budget.reservedBytes += bytes
    this.#bytes += bytes
    if (this.#cut === undefined) return
    this.count(bytes)
    holder.unfinished.delete(this)
    holder.unfinished.add(this)
  }

  count(bytes: number): void {
    this.#arrivedBytes += bytes
    this.idleSweeps = 0
  }

  onCut(cut: (error: Error) => void): void {
    this.#cut = cut
    this.#budget.waiting.add(this)
  }

  complete(): void {
    this.#cut = undefined
    this.#budget.waiting.delete(this)
    this.#holder.unfinished.delete(this)
  }

  transferTo(companyId: string): void {
    const to = this.#budget.companyHolder(companyId)
    const bytes = this.#bytes
    this.#budget.freeShare(to, this, bytes, partFor(bytes))
    this.#holder.bytes -= bytes
    this.#holder.bodies--
    to.bytes += bytes
    to.bodies++
    this.#holder = to
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (this.#cut !== undefined) this.complete()
    this.#budget.reservedBytes -= this.#bytes
    this.#holder.bytes -= this.#bytes
    this.#holder.bodies--
  }

  cut(error: Error): void {
    const cut = this.#cut
    this.release()
    cut?.(error)
  }

  /** Called each second. It counts sweeps instead of reading a clock: while the process itself is stalled, no body is late. */
  sweep(): void {
    this.idleSweeps++
    this.#ageSweeps++
    const isLate = this.#ageSweeps > bodyGraceSeconds
    if (isLate && this.#arrivedBytes < this.#ageSweeps * bodyBytesPerSecondMin) this.cut(tooSlow())
  }
}

class Budget implements BodyBudget {
  readonly #bytesMax: number
  readonly #companies = new Map<string, Holder>()
  readonly #networks = new Map<string, Holder>()
  /** Incomplete bodies. */
  readonly waiting = new Set<OpenBody>()
  reservedBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  openForCompany(companyId: string): ReservedBody {
    return new OpenBody(this, this.companyHolder(companyId))
  }

  openForNetwork(network: string): ReservedBody {
    return new OpenBody(this, this.#holderIn(this.#networks, network, networkBodyShare))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  companyHolder(companyId: string): Holder {
    return this.#holderIn(this.#companies, companyId, companyBodyShare)
  }

  /** @throws OverloadedError where the holder's share has not `bytes` left */
  freeShare(holder: Holder, body: OpenBody, bytes: number, part: number): void {
    while (exceedsShare(holder, bytes, part)) {
      if (!cutWaiting(holder, body, waitingSweeps)) throw budgetSpent()
    }
  }

  /** @throws OverloadedError where the budget has not `bytes` left */
  freeBytes(holder: Holder, body: OpenBody, bytes: number, part: number): void {
    this.freeShare(holder, body, bytes, part)
    while (this.isFull(bytes, part)) {
      const largest = this.#largestHolder((holder.bytes + bytes) / holder.share, holder)
      const isCut =
        largest === undefined ? cutWaiting(holder, body, waitingSweeps) : cutWaiting(largest, body, 0)
      if (!isCut) throw budgetSpent()
    }
  }

  isFull(bytes: number, part: number): boolean {
    return this.reservedBytes + bytes > this.#bytesMax * part
  }

  #holderIn(holders: Map<string, Holder>, name: string, share: number): Holder {
    let holder = holders.get(name)
    if (holder === undefined) {
      // The sweep deletes holders without bytes.
      holder = { share: share * this.#bytesMax, bytes: 0, bodies: 0, unfinished: new Set() }
      holders.set(name, holder)
      this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref()
    }
    return holder
  }

  /** The holder that uses most of its share, of those that use more than `load` and have unfinished bodies. */
  #largestHolder(load: number, but: Holder): Holder | undefined {
    let largest: Holder | undefined
    let most = load
    for (const holders of [this.#companies, this.#networks]) {
      for (const holder of holders.values()) {
        const its = holder.bytes / holder.share
        if (its <= most || holder === but || holder.unfinished.size === 0) continue
        largest = holder
        most = its
      }
    }
    return largest
  }

  #sweep(): void {
    for (const body of this.waiting) body.sweep()
    for (const holders of [this.#companies, this.#networks]) {
      for (const [name, holder] of holders) {
        if (holder.bodies === 0) holders.delete(name)
      }
    }
    if (this.#companies.size > 0 || this.#networks.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/**
 * Bodies count as they come, not as they are announced. A company or network beyond its share first loses those of its
 * own bodies that wait for their next bytes; those that are coming in stay, so that what has begun gets done. Where the
 * whole budget is spent, the holder that fills its share most loses what waits longest, until the new bytes fit: newcomers
 * get in. Slow bodies end by their rate; one timer checks them all.
 */
export function createBodyBudget({ bytesMax }: { bytesMax: number }): BodyBudget {
  return new Budget(bytesMax)
}
