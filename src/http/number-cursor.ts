import { invalidArgument } from './errors.ts'
import type { Page, PageRequest } from './pagination.ts'

const limitDefault = 50
/** Items of one page; a larger `limit` is 400. */
export const limitMax = 200
const numberPattern = /^[1-9][0-9]{0,17}$/

/**
 * Pages of lists in the order of a number, the highest first: what `page.ts` does for lists in the order of ids.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export const numberRows = (request: PageRequest): { before: string | null; limit: number } => {
  const limit = request.limit ?? limitDefault
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw invalidArgument(`limit is no whole number from 1 to ${limitMax}.`, 'limit')
  }
  if (request.cursor === undefined) return { before: null, limit }
  const before = Buffer.from(request.cursor, 'base64url').toString('latin1')
  if (!numberPattern.test(before)) throw invalidArgument('cursor is none of an answer.', 'cursor')
  return { before, limit }
}

/** Cuts the one row too many that was asked for, and makes the cursor from the last that is left; `isCut` as `pageOf`. */
export const numberPage = <Item>(
  rows: Item[],
  limit: number,
  numberOf: (item: Item) => string,
  isCut = false,
): Page<Item> => {
  if (rows.length <= limit && !isCut) return { items: rows, nextCursor: null }
  const items = rows.slice(0, limit)
  return { items, nextCursor: Buffer.from(numberOf(items.at(-1)!)).toString('base64url') }
}
