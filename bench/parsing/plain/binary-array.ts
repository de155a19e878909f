/** The plain counterpart of `src/platform/database/binary-array.ts`: the driver writes arrays as text. */
type Elements<T> = readonly (T | null)[]

function same<T>(elements: Elements<T>): Elements<T> {
  return elements
}

export const uuidArray = same<string>
export const int4Array = same<number>
export const int8Array = same<bigint | number | string>
export const boolArray = same<boolean>
export const dateArray = same<string>
export const textArray = same<string>
export const byteaArray = same<Uint8Array>
export function timestamptzArray(instants: Elements<Date | number>): Elements<Date> {
  return instants.map((instant) => (instant === null ? null : new Date(instant)))
}
export function uuidArrayFrom(uuids: Buffer, places: readonly number[]): string[] {
  return places.map((place) => uuids.toString('hex', place * 16, place * 16 + 16))
}
