import { OverloadedError } from '../../database/overloaded-error.ts'
import { ApiError } from '../errors/errors.ts'

/**
 * What one company may hold of the room, as a part: pushes, and webhooks once their signature is verified. Beyond it:
 * 503.
 */
export const companyBodyShare = 1 / 4

/** What one client network may hold of it, as a part, as long as it has shown no credential. Beyond it: 503. */
export const networkBodyShare = 1 / 10

/** Up to here a body is small, and may use what is kept for small ones. */
export const smallBodyBytesMax = 65_536

/** The part of the room, and of each share, that larger bodies leave to small ones. */
export const smallBodyReserve = 1 / 4

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
  readonly unfinished: Set<Held>
}

/** One body in the room. The code that opened it releases it in any case. */
export interface ReservedBody {
  /**
   * Makes room for bytes that came. Throws an `OverloadedError` where there is none; what was taken before stays
   * until `release`.
   */
  take(bytes: number): void
  /** Counts bytes that came and are thrown away. */
  pass(bytes: number): void
  /**
   * From here on the body is waited for; `cut` is called when it has to give way, never by `take` of this same body.
   */
  waitFor(cut: (error: Error) => void): void
  /** It is no longer waited for. */
  arrived(): void
  /** It is the company's now. Throws an `OverloadedError` where the company holds too much already. */
  passTo(companyId: string): void
  release(): void
}

/** The room for the bodies of a process, of all addresses. */
export interface BodyBudget extends Disposable {
  /** Of an authenticated push. */
  openForCompany(companyId: string): ReservedBody
  /** Of a caller that has shown no credential yet; the network as `clientNetwork` names it. */
  openForNetwork(network: string): ReservedBody
}

function noRoom(): OverloadedError {
  return new OverloadedError('too many bytes of bodies are in memory')
}
function gaveWay(): OverloadedError {
  return new OverloadedError('an unfinished body gave way to others')
}

/** `internal`, since what the caller should do is what that code says: send it again. */
function tooSlow(): ApiError {
  return new ApiError('internal', 'The body did not arrive in time; send it again.', {
    status: 408,
    headers: { Connection: 'close' },
  })
}

/** The part of the room, and of a share, that a body of this size may use. */
function partFor(bytes: number): number {
  return bytes <= smallBodyBytesMax ? 1 : 1 - smallBodyReserve
}

function isBeyondShare(holder: Holder, bytes: number, part: number): boolean {
  return holder.bytes + bytes > holder.share * part
}

/** Cuts the holder's body that has waited longest, unless it is `but` or has waited for less. False: there is none. */
function cutWaiting(holder: Holder, but: Held, sweepsMin: number): boolean {
  for (const body of holder.unfinished) {
    if (body === but) continue
    if (body.idleSweeps < sweepsMin) return false
    body.cut(gaveWay())
    return true
  }
  return false
}

class Held implements ReservedBody {
  idleSweeps = 0
  #ageSweeps = 0
  readonly #room: Room
  #holder: Holder
  /** In memory. */
  #bytes = 0
  /** In memory or thrown away. */
  #came = 0
  #cut: ((error: Error) => void) | undefined

  #isReleased = false

  constructor(room: Room, holder: Holder) {
    this.#room = room
    this.#holder = holder
    holder.bodies++
  }

  take(bytes: number): void {
    const holder = this.#holder
    const room = this.#room
    const part = partFor(this.#bytes + bytes)
    if (isBeyondShare(holder, bytes, part) || room.isFull(bytes, part))
      room.makeRoom(holder, this, bytes, part)
    holder.bytes += bytes
    room.heldBytes += bytes
    this.#bytes += bytes
    if (this.#cut === undefined) return
    this.pass(bytes)
    holder.unfinished.delete(this)
    holder.unfinished.add(this)
  }

  pass(bytes: number): void {
    this.#came += bytes
    this.idleSweeps = 0
  }

  waitFor(cut: (error: Error) => void): void {
    this.#cut = cut
    this.#room.waiting.add(this)
  }

  arrived(): void {
    this.#cut = undefined
    this.#room.waiting.delete(this)
    this.#holder.unfinished.delete(this)
  }

  passTo(companyId: string): void {
    const to = this.#room.companyHolder(companyId)
    const bytes = this.#bytes
    this.#room.makeRoomInShare(to, this, bytes, partFor(bytes))
    this.#holder.bytes -= bytes
    this.#holder.bodies--
    to.bytes += bytes
    to.bodies++
    this.#holder = to
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (this.#cut !== undefined) this.arrived()
    this.#room.heldBytes -= this.#bytes
    this.#holder.bytes -= this.#bytes
    this.#holder.bodies--
  }

  cut(error: Error): void {
    const cut = this.#cut
    this.release()
    cut?.(error)
  }

  /** Another second has gone by. Sweeps, not a clock: while the process itself stands still, no body is late. */
  sweep(): void {
    this.idleSweeps++
    this.#ageSweeps++
    const isLate = this.#ageSweeps > bodyGraceSeconds
    if (isLate && this.#came < this.#ageSweeps * bodyBytesPerSecondMin) this.cut(tooSlow())
  }
}

class Room implements BodyBudget {
  readonly #bytesMax: number
  readonly #companies = new Map<string, Holder>()
  readonly #networks = new Map<string, Holder>()
  /** Bodies that are waited for. */
  readonly waiting = new Set<Held>()
  heldBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  openForCompany(companyId: string): ReservedBody {
    return new Held(this, this.companyHolder(companyId))
  }

  openForNetwork(network: string): ReservedBody {
    return new Held(this, this.#holderIn(this.#networks, network, networkBodyShare))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  companyHolder(companyId: string): Holder {
    return this.#holderIn(this.#companies, companyId, companyBodyShare)
  }

  /** @throws OverloadedError where the holder has no room for `bytes` more */
  makeRoomInShare(holder: Holder, body: Held, bytes: number, part: number): void {
    while (isBeyondShare(holder, bytes, part)) {
      if (!cutWaiting(holder, body, waitingSweeps)) throw noRoom()
    }
  }

  /** @throws OverloadedError where there is no room for `bytes` more */
  makeRoom(holder: Holder, body: Held, bytes: number, part: number): void {
    this.makeRoomInShare(holder, body, bytes, part)
    while (this.isFull(bytes, part)) {
      const largest = this.#largestHolder((holder.bytes + bytes) / holder.share, holder)
      const isCut =
        largest === undefined ? cutWaiting(holder, body, waitingSweeps) : cutWaiting(largest, body, 0)
      if (!isCut) throw noRoom()
    }
  }

  isFull(bytes: number, part: number): boolean {
    return this.heldBytes + bytes > this.#bytesMax * part
  }

  #holderIn(holders: Map<string, Holder>, name: string, share: number): Holder {
    let holder = holders.get(name)
    if (holder === undefined) {
      // The sweep deletes those that hold nothing.
      holder = { share: share * this.#bytesMax, bytes: 0, bodies: 0, unfinished: new Set() }
      holders.set(name, holder)
      this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref()
    }
    return holder
  }

  /** The holder that fills its share most, of those that fill it beyond `load` and have something to lose. */
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
 * whole room is full, the holder that fills its share most loses what waits longest, until the new bytes fit: newcomers
 * get in. Slow bodies end by their rate; one timer checks them all.
 */
export function createBodyBudget({ bytesMax }: { bytesMax: number }): BodyBudget {
  return new Room(bytesMax)
}
