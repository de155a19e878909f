import { useState } from 'react'

interface Seen {
  of: string
  ids: readonly string[]
  fresh: ReadonlySet<string>
}

/**
 * Which of a list, the newest first, have come since it was read before: those above the ones that were there.
 *
 * @param of which list it is: of another one nothing is fresh
 */
export function useFresh(of: string, ids: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<Seen>({ of, ids, fresh: new Set() })
  const isSame =
    seen.of === of && seen.ids.length === ids.length && seen.ids.every((id, at) => id === ids[at])
  if (isSame) return seen.fresh
  const next = {
    of,
    ids,
    fresh: seen.of === of && seen.ids.length > 0 ? cameAbove(ids, seen) : new Set<string>(),
  }
  setSeen(next)
  return next.fresh
}

function cameAbove(ids: readonly string[], { ids: before, fresh }: Seen): Set<string> {
  const known = new Set(before)
  const firstKnown = ids.findIndex((id) => known.has(id))
  const above = firstKnown < 0 ? ids : ids.slice(0, firstKnown)
  // Those that only lengthened the list at its end came before.
  return above.length === 0 ? new Set(fresh) : new Set(above)
}
