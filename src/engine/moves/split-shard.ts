import { listStoredBytes } from '../usage/show-usage.ts'
import type { MoveContext } from './end-moves.ts'
import { moveCompany, type MovedCompany } from './move-company.ts'
import { MoveError } from './move-error.ts'

export interface StoredCompany {
  companyId: string
  bytes: number
}

/**
 * The companies to move from one shard to another, so that both have about as many bytes: the largest that fits into what is
 * still to be moved, and again, so that few are moved. None if the other one has more already.
 */
export function chooseCompanies(from: readonly StoredCompany[], bytesOfOther: number): StoredCompany[] {
  const sum = from.reduce((bytes, company) => bytes + company.bytes, 0)
  let rest = (sum - bytesOfOther) / 2
  const chosen: StoredCompany[] = []
  for (const company of from.toSorted((a, b) => b.bytes - a.bytes)) {
    if (company.bytes === 0 || company.bytes > rest) continue
    chosen.push(company)
    rest -= company.bytes
  }
  return chosen
}

export interface SplitOptions {
  from: number
  to: number
  /** Ends it: the move under way is undone, and those before stay. */
  signal?: AbortSignal
}

/**
 * Moves companies from a shard to another, one after the other, until both have about as many stored bytes, as last counted.
 * Gives each that has moved. A call after one that failed or was cancelled continues where it ended.
 *
 * @throws MoveError if there is no such shard, or why a company has not moved
 */
export async function* splitShard(
  context: MoveContext,
  { from, to, signal }: SplitOptions,
): AsyncGenerator<StoredCompany & MovedCompany> {
  const shards = await context.shards.list()
  const known = new Set(shards.map(({ shard }) => shard))
  if (!known.has(from) || !known.has(to)) throw new MoveError('no shard')
  if (from === to) throw new MoveError('same')
  const [own, other] = await Promise.all(
    [from, to].map((shard) => listStoredBytes(context.shards.get(shard))),
  )
  const bytesOfOther = other!.reduce((bytes, company) => bytes + company.bytes, 0)
  for (const company of chooseCompanies(own!, bytesOfOther)) {
    const { companyId } = company
    const moved = await moveCompany(context, { companyId, to, ...(signal === undefined ? {} : { signal }) })
    yield { ...company, ...moved }
  }
}
