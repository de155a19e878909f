import { useState } from 'react'

interface Seen {
  list: string
  ids: readonly string[]
  fresh: ReadonlySet<string>
}

/**
 * The entries of a list, newest first, that were not in it when it was read before.
 *
 * @param list which list it is: nothing is fresh in one that replaces another
 */
export function useFresh(list: string, ids: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<Seen>({ list, ids, fresh: new Set() })
  if (seen.list === list && seen.ids.length === ids.length && seen.ids.every((id, at) => id === ids[at])) {
    return seen.fresh
  }
  const isContinued = seen.list === list && seen.ids.length > 0
  const next = { list, ids, fresh: isContinued ? findFresh(ids, seen) : new Set<string>() }
  setSeen(next)
  return next.fresh
}

function findFresh(ids: readonly string[], { ids: before, fresh }: Seen): ReadonlySet<string> {
  const known = new Set(before)
  const firstKnown = ids.findIndex((id) => known.has(id))
  const above = firstKnown < 0 ? ids : ids.slice(0, firstKnown)
  // The list only became longer at its end.
  return above.length === 0 ? fresh : new Set(above)
}
