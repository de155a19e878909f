/** Bytes of a page's rows as JSON. Beyond it the page ends early, and its cursor leads on; it has at least one row. */
export const pageBytesMax = 8_388_608

/** What rows of a `withinBytes` statement have in addition. */
export interface WithinBytes {
  /** Whether any of the requested rows come after this one. */
  more: boolean
}

/**
 * Cuts the rows of a page where they exceed `pageBytesMax`, but always keeps the first: a limit alone is no bound if
 * single rows may be large. This is done in the database, so that what is cut off never leaves it.
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
