/** Lists that may grow are read a page at a time; an opaque cursor names what comes next. */
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { invalidArgument } from './errors/errors.ts'

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
/** Of at most 18 digits, so that it fits in 64 bits. */
const numberPattern = /^[1-9][0-9]{0,17}$/

/**
 * What a statement needs for a page of a list in the order of ids: the id that its rows come after, and how many rows.
 * Ask for one more than `limit`, so that `toPage` knows whether there is more.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export function pageRows(request: PageRequest): { after: string | null; limit: number } {
  const limit = parseLimit(request)
  return { after: parseCursor(request, uuidPattern), limit }
}

/**
 * The same for a list in the order of a number, the highest first: the number that its rows come before.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export function numberRows(request: PageRequest): { before: string | null; limit: number } {
  const limit = parseLimit(request)
  return { before: parseCursor(request, numberPattern), limit }
}

/**
 * Cuts the one row too many, and makes the cursor from the last key that is left.
 *
 * @param toKey the id or the number that orders the list
 * @param isCut whether the statement gave fewer rows than it found (`database/within-bytes.ts`)
 */
export function toPage<Item>(
  items: Item[],
  limit: number,
  toKey: (item: Item) => string,
  isCut = false,
): Page<Item> {
  if (items.length <= limit && !isCut) return { items, nextCursor: null }
  const kept = items.slice(0, limit)
  return { items: kept, nextCursor: Buffer.from(toKey(kept.at(-1)!)).toString('base64url') }
}

function parseLimit(request: PageRequest): number {
  const limit = request.limit ?? limitDefault
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit
  throw invalidArgument(`limit must be a whole number from 1 to ${limitMax}.`, 'limit')
}

function parseCursor(request: PageRequest, pattern: RegExp): string | null {
  if (request.cursor === undefined) return null
  const key = Buffer.from(request.cursor, 'base64url').toString('latin1')
  if (!pattern.test(key))
    throw invalidArgument(
      'cursor is not one that an answer gave: send next_cursor as it came, or leave it out.',
      'cursor',
    )
  return key
}
