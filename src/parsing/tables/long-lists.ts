/** Lists that take more bytes get room of their own. Far shorter buffers may share their memory with others. */
const longMin = 256 * 1024
/**
 * C libraries keep what they are given back, up to tens of megabytes, for later; of glibc's this is true up to 32 MiB. What
 * is larger comes from the system page by page as it is written to, and goes back at once. So a long list has room for
 * more than it will need, which costs nothing, and can grow in its place.
 */
const ownRoom = 33 * 1024 * 1024

/** Bytes to make room for, where `bytes` are needed: for memory that is made elsewhere. */
export function roomBytes(bytes: number): number {
  return (bytes < longMin ? bytes : Math.max(bytes, ownRoom))
}

function room(bytes: number): ArrayBuffer {
  return new ArrayBuffer(roomBytes(bytes))
}

/** Lists of zeros of any length; `bytes` of anything. */
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

/** A longer list with the same beginning and zeros behind it. The shorter one must not be used any more. */
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

/** Gives up the memory of a list that is not used any more: the collector would do so too, when it comes to it. */
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
