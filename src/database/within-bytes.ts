/** Rows of one page, as JSON. Beyond it the page ends early, and its cursor leads on; the first row is always there. */
export const pageBytesMax = 8_388_608

/** Of the rows of a statement that `withinBytes` made. */
export interface WithinBytes {
  /** There are rows after this one, of those that were asked for. */
  more: boolean
}

/**
 * Cuts the rows of a page where they come to more than `pageBytesMax`, the first always kept: a limit alone bounds nothing
 * where single rows may be large. Done in the database, so that what is cut off never leaves it.
 *
 * @param rows a `select` with an `order by` and a `limit`
 */
export function withinBytes(rows: string): string {
  return `
  select within_bytes.*
  from (
    select found.*,
      sum(octet_length(row_to_json(found)::text)) over (rows unbounded preceding) as bytes_so_far,
      row_number() over () as place, row_number() over () < count(*) over () as more
    from (${rows}) as found
  ) as within_bytes
  where within_bytes.place = 1 or within_bytes.bytes_so_far <= ${pageBytesMax}
  order by within_bytes.place
  limit all`
}
