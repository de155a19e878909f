import type { Context, DirectoryContext } from '../../context.ts'
import { pageLockTimeoutMs } from '../../platform/database/deadlines.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { createPool } from '../../platform/database/pool.ts'
import { recordStoredBytes } from '../../people/companies/find-shards.ts'
import { createSchemaPools, type SchemaPools } from '../../platform/database/schema-pools.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'
import { sumUsage } from './show-usage.ts'
import { recountSome } from './recount-usage.ts'

/** How often companies that are due are recounted, in milliseconds. One that is due waits that long at most. */
const recountPollEveryMs = 60_000

/** Shards that are counted at the same time: one that does not answer delays no other. */
const countedShardsMax = 3

interface CountingOptions {
  /** `usageCountEveryMs` unless given. */
  countEveryMs?: number
  /** `recountPollEveryMs` unless given. */
  recountPollEveryMs?: number
}

/**
 * Counts the usage of companies at intervals while the service runs. What fails is tried again the next time. It has some
 * connections of its own, on which a statement may take longer than on a page's, and one for recounts, which may take
 * minutes.
 */
export function startCountingUsage(
  context: Pick<DirectoryContext, 'pool' | 'shards' | 'clock' | 'config' | 'log'>,
  options: CountingOptions = {},
): AsyncDisposable {
  const { log } = context
  const stopping = new AbortController()
  const open = (connectionsMax: number): SchemaPools =>
    createSchemaPools({
      url: context.pool.options.connectionString!,
      open: (at) =>
        createPool({
          ...at,
          connectionsMax,
          name: 'numera usage counter',
          lockTimeoutMs: pageLockTimeoutMs,
          onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
        }),
    })
  const counting = open(countedShardsMax)
  const recounting = open(1)
  type Own = Pick<Context, 'pool' | 'shard' | 'clock' | 'config' | 'log'>
  /** As many at the same time as there are connections. */
  const inEachShard = async (pools: SchemaPools, work: (own: Own) => Promise<unknown>): Promise<void> => {
    const waiting = (await context.shards.list()).values()
    const errors: unknown[] = []
    const next = async (): Promise<void> => {
      for (const { shard } of waiting) {
        if (stopping.signal.aborted) return
        const pool = pools.get(toShardSchema(shard))
        await work({ ...context, shard, pool }).catch((error: unknown) => errors.push(error))
      }
    }
    await Promise.all(Array.from({ length: pools === counting ? countedShardsMax : 1 }, next))
    if (errors.length > 0) throw errors[0]
  }

  const warn = (error: unknown, message: string): void => {
    if (!stopping.signal.aborted) log.warn({ err: error }, message)
  }
  const ends = [
    repeat(
      options.countEveryMs ?? usageCountEveryMs,
      () => inEachShard(counting, countUsage),
      (error) => warn(error, 'what companies hold could not be counted'),
    ),
    repeat(
      options.recountPollEveryMs ?? recountPollEveryMs,
      () =>
        inEachShard(recounting, async (own) => {
          await recountSome(own, stopping.signal)
          await recordStoredBytes(own.pool, own.shard, (await sumUsage(own)).storedBytes)
        }),
      (error) => warn(error, 'the usage of companies could not be recounted'),
    ),
  ]
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      const ended = Promise.all(ends.map((end) => end()))
      // A statement under way is cut where it takes too long: what it counts is counted the next time.
      await Promise.all([counting.end(), recounting.end()])
      await ended
    },
  }
}

/**
 * Does something at intervals, never twice at the same time. Returns what ends it and waits for what is under way.
 */
function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => (running = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
