/** Queries of pages that this one leads to, as their addresses have them. */

/** The company's deliveries, filtered. */
export function deliveriesOf(filter: { source?: string; sandbox?: boolean }): object {
  return filter
}

/** A new connection for a source. */
export function connectionFor(source: string): object {
  return { source }
}
