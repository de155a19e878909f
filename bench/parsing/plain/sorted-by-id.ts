/** `src/parsing/tables/sorted-by-id.ts` as it would be without it: the library's sort. */
import { compareIds } from '../../../src/parsing/tables/sorted-by-id.ts'

export { compareIds }

export const sortedById = (ids: Buffer, places: Uint32Array): Uint32Array =>
  places.toSorted((a, b) => compareIds(ids, a, b))
