import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createSchemaPools, type SchemaPools } from '../../../platform/database/schema-pools.ts'
import { firstShard, toShardSchema } from '../../../platform/database/schemas.ts'
import { watchPool } from '../../../platform/database/watch-pool.ts'
import { listShards } from '../../../people/companies/find-shards.ts'
import type { Queue } from '../../backlog/queues.ts'
import {
  createProjectionMaintainer,
  type ProjectionMaintainer,
} from '../../projections/maintain-projections.ts'
import { createParseWorker, type ParseWorker, type Round } from './parse-worker.ts'
import { measureBacklog, measuredCompaniesMax, measuredDeliveriesMax, selectHasBacklog } from './queries.ts'
import { createWorkerPool, workerSilentPollsMax, workerWatchMs } from './worker-pool.ts'
import type { WorkerLog } from './worker-state.ts'

/** How often a worker looks for further shards, in milliseconds. */
const shardsEveryMs = 10_000

/** How long a shard that failed is left alone while others work, in milliseconds. */
const shardPauseMs = 2_000

const nothing: Round = { deliveries: 0, rowsRead: 0, rowsRefused: 0, cellsAdded: 0, isFull: false }

interface ShardTurnsOptions {
  databaseUrl: string
  clock: Clock
  log: WorkerLog & { info(details: object, message: string): void }
  queues: readonly Queue[]
  /** How often a shard is visited of which nothing new is known. Each time by default. */
  pollIntervalMs?: number
  /** How much was new in a shard so far, as far as this process knows. */
  newsOf?: (shard: number) => number
}

/** What waits in one queue. */
interface MeasuredQueue {
  queue: number
  deliveries: number
  oldest: Date | null
}

/** One worker for all shards of a deployment. */
export interface ShardTurns extends AsyncDisposable {
  /**
   * Rounds of the shards in turn. One that had nothing to parse is left alone until there is news of it, or until the next
   * poll, which costs a statement.
   */
  worker: Pick<ParseWorker, 'round'>
  /** Steps of the shards in turn. */
  projections: ProjectionMaintainer
  /** What waits in each queue, over all shards. */
  measure(): Promise<MeasuredQueue[]>
}

interface ShardWorker {
  worker: Pick<ParseWorker, 'round'>
  projections: ProjectionMaintainer
  measure(): Promise<MeasuredQueue[]>
  readShards(): Promise<number[]>
}

/** Leaves out the rounds of a shard in which nothing is to be expected. */
function createDueRounds(
  worker: ParseWorker,
  pool: Pool,
  newsOf: () => number,
  pollIntervalMs: number,
): Pick<ParseWorker, 'round'> {
  /** Whether the last round found something. */
  let isBusy = true
  let seen: number | undefined
  let visitedAtMs = Number.NEGATIVE_INFINITY
  return {
    round: async () => {
      const news = newsOf()
      // A worker that waits is woken by the interval: half of it is certain to have passed.
      if (!isBusy && news === seen && performance.now() - visitedAtMs < pollIntervalMs / 2) return nothing
      const isExpected = isBusy || (await selectHasBacklog.first(pool, {}))!.waits
      const round = isExpected ? await worker.round() : nothing
      isBusy = round.deliveries > 0 || round.isFull
      seen = news
      visitedAtMs = performance.now()
      return round
    },
  }
}

function openShardWorker(pool: Pool, shard: number, options: ShardTurnsOptions): ShardWorker {
  const { clock, log, queues, pollIntervalMs = 0, newsOf = () => 0 } = options
  const worker = createParseWorker({ pool, shard, clock, log, queues })
  return {
    worker: createDueRounds(worker, pool, () => newsOf(shard), pollIntervalMs),
    projections: createProjectionMaintainer({ pool, shard, clock, log }),
    measure: () =>
      measureBacklog.rows(pool, {
        deliveriesMax: measuredDeliveriesMax,
        companiesMax: measuredCompaniesMax,
      }),
    readShards: async () => (await listShards(pool)).map(({ shard }) => shard),
  }
}

/** Goes from shard to shard, each time from where the last turn ended. */
class Turns {
  #next = 0
  /** Until when a shard that failed is left alone, by the monotonic clock. */
  readonly #pausedUntilMs = new Map<number, number>()
  readonly #log: WorkerLog

  constructor(log: WorkerLog) {
    this.#log = log
  }

  /**
   * Runs `act` for one shard after the other until it answers that it did something, or all had their turn.
   *
   * @throws the error of the last one if all of them failed
   */
  async take<Answer>(
    shards: readonly number[],
    act: (shard: number) => Promise<{ answer: Answer; isDone: boolean }>,
  ): Promise<Answer | undefined> {
    let failed = 0
    let failure: unknown
    for (let turn = 0; turn < shards.length; turn++) {
      const shard = shards[this.#next++ % shards.length]!
      if ((this.#pausedUntilMs.get(shard) ?? 0) > performance.now() && shards.length > 1) {
        failed++
        continue
      }
      try {
        const { answer, isDone } = await act(shard)
        if (isDone) return answer
      } catch (error) {
        failed++
        failure = error
        if (shards.length === 1) continue
        this.#pausedUntilMs.set(shard, performance.now() + shardPauseMs)
        this.#log.warn({ err: error, shard }, 'a shard is unavailable to a worker')
      }
    }
    if (failed === shards.length && failure !== undefined) throw failure
    return undefined
  }
}

/** The worker's connections to each node, as each shard sees them. */
function openWorkerPools({ databaseUrl, log }: ShardTurnsOptions): SchemaPools {
  const watches: Disposable[] = []
  const onFault = (error: Error): void => log.warn({ err: error }, 'a connection of a worker broke')
  const pools = createSchemaPools({
    url: databaseUrl,
    open: ({ url, schema }) => {
      const pool = createWorkerPool(url, onFault, { schema })
      watches.push(watchPool(pool, workerWatchMs, workerSilentPollsMax))
      return pool
    },
  })
  return {
    get: (schema) => pools.get(schema),
    end: async () => {
      for (const watch of watches) watch[Symbol.dispose]()
      await pools.end().catch(() => {})
    },
  }
}

/**
 * A shard that fails is left alone for a while. Shards that are added later are found within `shardsEveryMs`. All have the
 * worker's few connections in turn.
 */
export function createShardTurns(options: ShardTurnsOptions): ShardTurns {
  const pools = openWorkerPools(options)
  const opened = new Map<number, ShardWorker>()
  const open = (shard: number): ShardWorker => {
    const known = opened.get(shard) ?? openShardWorker(pools.get(toShardSchema(shard)), shard, options)
    opened.set(shard, known)
    return known
  }
  let shards: readonly number[] = [firstShard]
  let readAtMs = Number.NEGATIVE_INFINITY
  /** Any shard knows them all. */
  const readShards = async (): Promise<readonly number[]> => {
    if (performance.now() - readAtMs < shardsEveryMs) return shards
    readAtMs = performance.now()
    for (const shard of shards) {
      const found = await open(shard)
        .readShards()
        .catch(() => undefined)
      if (found === undefined) continue
      if (found.length > 0) shards = found
      break
    }
    return shards
  }
  const rounds = new Turns(options.log)
  const steps = new Turns(options.log)
  return {
    worker: {
      round: async () => {
        const round = await rounds.take(await readShards(), async (shard) => {
          const answer = await open(shard).worker.round()
          return { answer, isDone: answer.deliveries > 0 || answer.isFull }
        })
        return round ?? nothing
      },
    },
    projections: {
      step: async () => {
        const more = await steps.take(await readShards(), async (shard) => {
          const answer = await open(shard).projections.step()
          return { answer, isDone: answer }
        })
        return more ?? false
      },
    },
    measure: async () => {
      const measured: MeasuredQueue[] = []
      // One at a time: the other connections are for parsing.
      for (const shard of await readShards()) measured.push(...(await open(shard).measure()))
      const byQueue = Map.groupBy(measured, ({ queue }) => queue)
      return Array.from(byQueue, ([queue, rows]) => ({
        queue,
        deliveries: rows.reduce((sum, row) => sum + row.deliveries, 0),
        oldest: rows.reduce<Date | null>(
          (oldest, row) =>
            row.oldest !== null && (oldest === null || row.oldest < oldest) ? row.oldest : oldest,
          null,
        ),
      }))
    },
    [Symbol.asyncDispose]: async () => {
      await pools.end()
    },
  }
}
