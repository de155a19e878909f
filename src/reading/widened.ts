/**
 * A longer list with the same beginning, zeros behind it. The shorter one is given up at once and must not be used any
 * more: the memory of large ones would otherwise wait for the collector.
 */
export const widened = {
  int8: (list: Int8Array<ArrayBuffer>, length: number) => new Int8Array(list.buffer.transfer(length)),
  int32: (list: Int32Array<ArrayBuffer>, length: number) => new Int32Array(list.buffer.transfer(length * 4)),
  float64: (list: Float64Array<ArrayBuffer>, length: number) =>
    new Float64Array(list.buffer.transfer(length * 8)),
}
