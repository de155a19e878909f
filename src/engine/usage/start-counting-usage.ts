import type { Context, DirectoryContext } from '../../context.ts'
import { pageLockTimeoutMs } from '../../platform/database/deadlines.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { createSchemaPools } from '../../platform/database/schema-pools.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'
import { recountSome } from './recount-usage.ts'

/** How often companies that are due are recounted, in milliseconds. One that is due waits that long at most. */
const recountPollEveryMs = 60_000

interface CountingOptions {
  /** `usageCountEveryMs` unless given. */
  countEveryMs?: number
  /** `recountPollEveryMs` unless given. */
  recountPollEveryMs?: number
}

/**
 * Counts the usage of companies at intervals while the service runs. What fails is tried again the next time. It has
 * two connections of its own to each shard, on which a statement may take longer than on a page's: a recount may take
 * minutes, and what waits is counted alongside.
 */
export function startCountingUsage(
  context: Pick<DirectoryContext, 'pool' | 'shards' | 'clock' | 'config' | 'log'>,
  options: CountingOptions = {},
): AsyncDisposable {
  const { log } = context
  const stopping = new AbortController()
  const pools = createSchemaPools({
    url: context.pool.options.connectionString!,
    connectionsMax: 2,
    name: 'numera usage counter',
    lockTimeoutMs: pageLockTimeoutMs,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  type Own = Pick<Context, 'pool' | 'shard' | 'clock' | 'config' | 'log'>
  /** In all shards at the same time, so that one that is unavailable delays no other. */
  const inEachShard = async (work: (own: Own) => Promise<unknown>): Promise<void> => {
    const shards = await context.shards.list()
    const outcomes = await Promise.allSettled(
      shards.map(({ shard }) => work({ ...context, shard, pool: pools.get(toShardSchema(shard)) })),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  const warn = (error: unknown, message: string): void => {
    if (!stopping.signal.aborted) log.warn({ err: error }, message)
  }
  const ends = [
    repeat(
      options.countEveryMs ?? usageCountEveryMs,
      () => inEachShard(countUsage),
      (error) => warn(error, 'what companies hold could not be counted'),
    ),
    repeat(
      options.recountPollEveryMs ?? recountPollEveryMs,
      () => inEachShard((own) => recountSome(own, stopping.signal)),
      (error) => warn(error, 'the usage of companies could not be recounted'),
    ),
  ]
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      const ended = Promise.all(ends.map((end) => end()))
      // A statement under way is cut where it takes too long: what it counts is counted the next time.
      await pools.end()
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
