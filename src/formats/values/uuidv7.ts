import { randomFillSync } from 'node:crypto'

/** Fills the buffer with random bytes. */
export type RandomSource = (buffer: Uint8Array) => void

const uuidRandomBytes = 10
const poolBytes = uuidRandomBytes * 256
const hexByByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
function hex(byte: number): string {
  return hexByByte[byte & 0xff]!
}

/**
 * Makes version 7 UUIDs (RFC 9562, 5.7): 48 bits of milliseconds, then 74 random ones. Ids of different
 * milliseconds sort by time, so an index grows at its end; those of the same millisecond are in no order.
 * Random bytes are drawn for 256 ids together, since each draw is expensive.
 */
export function createUuidv7(fillRandom: RandomSource): (nowMs: number) => string {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes

  return (nowMs) => {
    if (used === poolBytes) {
      fillRandom(pool)
      used = 0
    }
    const random = (index: number): number => pool[used + index]!
    const high = Math.floor(nowMs / 0x1_0000_0000)
    const low = nowMs % 0x1_0000_0000
    const id =
      `${hex(high >>> 8)}${hex(high)}${hex(low >>> 24)}${hex(low >>> 16)}-${hex(low >>> 8)}${hex(low)}-` +
      `${hex(0x70 | (random(0) & 0x0f))}${hex(random(1))}-${hex(0x80 | (random(2) & 0x3f))}${hex(random(3))}-` +
      `${hex(random(4))}${hex(random(5))}${hex(random(6))}${hex(random(7))}${hex(random(8))}${hex(random(9))}`
    used += uuidRandomBytes
    return id
  }
}

/** A new version 7 UUID for the given instant (whole milliseconds since 1970), in lower case. */
export const uuidv7 = createUuidv7((buffer) => void randomFillSync(buffer))

/** A lower bound: every version 7 UUID of this instant or later is above it, every earlier one below. */
export function lowestUuidv7(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** No UUID comes after it. */
export const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
