/** Lists that may grow are read a page at a time; what comes next is named by an opaque cursor. */
import { invalidArgument } from './errors.ts'

export interface PageRequest {
  /** `nextCursor` of the page before; absent for the first page. */
  cursor?: string
  /** Items a page, 1 to 200. */
  limit?: number
}

export interface Page<Item> {
  items: Item[]
  /** Null on the last page. */
  nextCursor: string | null
}

const limitDefault = 50
/** Items of one page; a larger `limit` is 400. */
export const limitMax = 200
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * What a statement needs for a page: the id that its rows come after, and how many rows. Ask for one more than
 * `limit`, so that `pageOf` knows whether there is more.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export const pageRows = (request: PageRequest): { after: string | null; limit: number } => {
  const limit = request.limit ?? limitDefault
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw invalidArgument(`It must be a whole number from 1 to ${limitMax}.`, 'limit')
  }
  if (request.cursor === undefined) return { after: null, limit }
  const after = Buffer.from(request.cursor, 'base64url').toString('latin1')
  if (!uuidPattern.test(after)) throw invalidArgument('It is no cursor of an answer.', 'cursor')
  return { after, limit }
}

/**
 * Cuts the one row too many, and makes the cursor from the last id that is left.
 *
 * @param isCut whether the statement gave fewer rows than it found (`database/within-bytes.ts`)
 */
export const pageOf = <Item>(
  items: Item[],
  limit: number,
  idOf: (item: Item) => string,
  isCut = false,
): Page<Item> => {
  if (items.length <= limit && !isCut) return { items, nextCursor: null }
  const kept = items.slice(0, limit)
  return { items: kept, nextCursor: Buffer.from(idOf(kept.at(-1)!)).toString('base64url') }
}
