/** Lists of this many bytes or more get room to grow in place. */
const longMin = 256 * 1024
/**
 * C libraries keep freed memory for later; glibc does so for blocks of up to 32 MiB. Larger blocks come from the
 * system page by page as they are written to, and are returned immediately. So a long list gets more room than it will need,
 * which costs nothing until used, and grows in place.
 */
const ownRoom = 33 * 1024 * 1024

/** How many bytes to allocate where `bytes` are needed; for memory that is allocated elsewhere. */
export function capacityBytes(bytes: number): number {
  return bytes < longMin ? bytes : Math.max(bytes, ownRoom)
}

function room(bytes: number): ArrayBuffer {
  return new ArrayBuffer(capacityBytes(bytes))
}

/** Lists of zeros of any length; the contents of `bytes` are undefined. */
export const longList = {
  int8: (length: number) =>
    length < longMin ? new Int8Array(length) : new Int8Array(room(length), 0, length),
  uint8: (length: number) =>
    length < longMin ? new Uint8Array(length) : new Uint8Array(room(length), 0, length),
  int32: (length: number) =>
    length * 4 < longMin ? new Int32Array(length) : new Int32Array(room(length * 4), 0, length),
  uint32: (length: number) =>
    length * 4 < longMin ? new Uint32Array(length) : new Uint32Array(room(length * 4), 0, length),
  float64: (length: number) =>
    length * 8 < longMin ? new Float64Array(length) : new Float64Array(room(length * 8), 0, length),
  bytes: (length: number) =>
    length < longMin ? Buffer.allocUnsafeSlow(length) : Buffer.from(room(length), 0, length),
}

/** A longer list that begins like `list`, then zeros. The shorter one must not be used any more. */
export const widened = {
  int8: (list: Int8Array<ArrayBuffer>, length: number) =>
    hasRoom(list, length) ? new Int8Array(list.buffer, 0, length) : moved(list, longList.int8(length)),
  int32: (list: Int32Array<ArrayBuffer>, length: number) =>
    hasRoom(list, length * 4) ? new Int32Array(list.buffer, 0, length) : moved(list, longList.int32(length)),
  float64: (list: Float64Array<ArrayBuffer>, length: number) =>
    hasRoom(list, length * 8)
      ? new Float64Array(list.buffer, 0, length)
      : moved(list, longList.float64(length)),
  bytes: (list: Buffer<ArrayBuffer>, length: number) =>
    hasRoom(list, length) ? Buffer.from(list.buffer, 0, length) : moved(list, longList.bytes(length)),
}

/** Frees the memory of a list that is no longer used: the collector would do so much later. */
export function release(list: { byteLength: number; buffer: ArrayBufferLike }): void {
  const { byteLength, buffer } = list
  if (byteLength >= longMin && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

type List = Int8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Buffer<ArrayBuffer>

function hasRoom(list: List, bytes: number): boolean {
  return list.byteLength >= longMin && bytes <= list.buffer.byteLength
}

function moved<L extends List>(list: L, wider: L): L {
  wider.set(list)
  release(list)
  return wider
}
