import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { lookUpApps } from './app-queries.ts'
import { lookUpCallers, type AccessRates, type CallerRow, type CallGroup } from './queries.ts'

export interface GroupsToLookUp {
  groups: readonly CallGroup[]
  rates: AccessRates
  nowMs: number
}

/** Tokens that are remembered, by their hashes; beyond it the one used longest ago is found out again. */
export const rememberedTokensMax = 20_000

function keyOf(group: CallGroup): string {
  return group.credentialHash.toString('latin1')
}

/**
 * Looks up the credentials of a batch: those of service connections in one statement, the tokens of apps in another.
 * Both kinds look alike. A token is looked up as a service connection's first, and once it turned out to be an app's,
 * as that. Only which statement knows a token is remembered, never what it opens: each kind is as quick as if it were
 * the only one.
 */
export function createLookUpGroups(pool: Pool): (wanted: GroupsToLookUp) => Promise<CallerRow[]> {
  const apps = new LRUCache<string, true>({ max: rememberedTokensMax })

  return async ({ groups, rates, nowMs }) => {
    const asApps = (some: readonly CallGroup[]): Promise<CallerRow[]> =>
      some.length === 0 ? Promise.resolve([]) : lookUpApps(pool, some, rates.connection, nowMs)

    const known: CallGroup[] = []
    const others: CallGroup[] = []
    for (const group of groups) (group.mayBeApp && apps.get(keyOf(group)) ? known : others).push(group)
    const [knownRows, otherRows] = await Promise.all([
      asApps(known),
      others.length === 0 ? [] : lookUpCallers(pool, others, rates, nowMs),
    ])
    const missed = others.filter((group, index) => group.mayBeApp && otherRows[index]!.connection_id === null)
    if (others.length === 0) return knownRows
    if (known.length === 0 && missed.length === 0) return otherRows

    const rows = new Map<CallGroup, CallerRow>()
    for (const [index, group] of known.entries()) rows.set(group, knownRows[index]!)
    for (const [index, group] of others.entries()) rows.set(group, otherRows[index]!)
    const missedRows = await asApps(missed)
    for (const [index, group] of missed.entries()) {
      const row = missedRows[index]!
      if (row.connection_id === null) continue
      rows.set(group, row)
      apps.set(keyOf(group), true)
    }
    return groups.map((group) => rows.get(group)!)
  }
}
