/** Lists so long are worth giving up at once, in bytes. Far shorter buffers may share their memory with others. */
const releasedMin = 64 * 1024

/**
 * Gives up the memory of a list that is not used any more. The collector would do so too, when it comes to it; until then
 * the lists that a growing one leaves behind are as large as itself.
 */
export const release = (list: { byteLength: number; buffer: ArrayBufferLike }): void => {
  const { byteLength, buffer } = list
  if (byteLength >= releasedMin && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const moved = <List extends Int8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  list: List,
  wider: List,
): List => {
  wider.set(list)
  release(list)
  return wider
}

/** A longer list with the same beginning and zeros behind it. The shorter one must not be used any more. */
export const widened = {
  int8: (list: Int8Array<ArrayBuffer>, length: number) => moved(list, new Int8Array(length)),
  int32: (list: Int32Array<ArrayBuffer>, length: number) => moved(list, new Int32Array(length)),
  float64: (list: Float64Array<ArrayBuffer>, length: number) => moved(list, new Float64Array(length)),
  bytes: (list: Buffer<ArrayBuffer>, length: number) => {
    const wider = Buffer.allocUnsafeSlow(length)
    wider.set(list)
    release(list)
    return wider
  },
}
