/** The plain counterpart of `src/engine/tables/long-lists.ts`: lists are copied to grow, and freed by the garbage collector. */
export function capacityBytes(bytes: number): number {
  return bytes
}

export const longList = {
  int8: (length: number) => new Int8Array(length),
  uint8: (length: number) => new Uint8Array(length),
  int32: (length: number) => new Int32Array(length),
  uint32: (length: number) => new Uint32Array(length),
  float64: (length: number) => new Float64Array(length),
  bytes: (length: number) => Buffer.allocUnsafeSlow(length),
}

function copyInto<L extends { set(from: L): void }>(list: L, wider: L): L {
  wider.set(list)
  return wider
}

export const widened = {
  int8: (list: Int8Array, length: number) => copyInto(list, new Int8Array(length)),
  int32: (list: Int32Array, length: number) => copyInto(list, new Int32Array(length)),
  float64: (list: Float64Array, length: number) => copyInto(list, new Float64Array(length)),
  bytes: (list: Buffer, length: number) => copyInto(list, Buffer.allocUnsafeSlow(length)),
}

export function release(): void {}
