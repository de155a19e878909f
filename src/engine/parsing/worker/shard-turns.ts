import type { Clock } from '../../../platform/clock/clock.ts'
import { endPool } from '../../../platform/database/pool.ts'
import { firstShard, toShardSchema } from '../../../platform/database/schemas.ts'
import { watchPool } from '../../../platform/database/watch-pool.ts'
import { listShards } from '../../../people/companies/find-shards.ts'
import type { Queue } from '../../backlog/queues.ts'
import {
  createProjectionMaintainer,
  type ProjectionMaintainer,
} from '../../projections/maintain-projections.ts'
import { createParseWorker, type ParseWorker, type Round } from './parse-worker.ts'
import { measureBacklog, measuredCompaniesMax, measuredDeliveriesMax } from './queries.ts'
import { createWorkerPool, workerSilentPollsMax, workerWatchMs } from './worker-pool.ts'
import type { WorkerLog } from './worker-state.ts'

/** How often a worker looks for further shards, in milliseconds. */
const shardsEveryMs = 10_000

/** How long a shard that failed is left alone while others work, in milliseconds. */
const shardPauseMs = 2_000

interface ShardTurnsOptions {
  databaseUrl: string
  clock: Clock
  log: WorkerLog & { info(details: object, message: string): void }
  queues: readonly Queue[]
}

/** What waits in one queue. */
interface MeasuredQueue {
  queue: number
  deliveries: number
  oldest: Date | null
}

/** One worker for all shards of a deployment. */
export interface ShardTurns extends AsyncDisposable {
  /** Rounds of the shards in turn; one of a shard that has nothing to parse costs a statement. */
  worker: Pick<ParseWorker, 'round'>
  /** Steps of the shards in turn. */
  projections: ProjectionMaintainer
  /** What waits in each queue, over all shards. */
  measure(): Promise<MeasuredQueue[]>
}

interface ShardWorker extends AsyncDisposable {
  worker: ParseWorker
  projections: ProjectionMaintainer
  measure(): Promise<MeasuredQueue[]>
  readShards(): Promise<number[]>
}

function openShardWorker(shard: number, { databaseUrl, clock, log, queues }: ShardTurnsOptions): ShardWorker {
  const onFault = (error: Error): void => log.warn({ err: error, shard }, 'a connection of a worker broke')
  const pool = createWorkerPool(databaseUrl, onFault, { schema: toShardSchema(shard) })
  const watch = watchPool(pool, workerWatchMs, workerSilentPollsMax)
  return {
    worker: createParseWorker({ pool, shard, clock, log, queues }),
    projections: createProjectionMaintainer({ pool, shard, clock, log }),
    measure: () =>
      measureBacklog.rows(pool, {
        deliveriesMax: measuredDeliveriesMax,
        companiesMax: measuredCompaniesMax,
      }),
    readShards: async () => (await listShards(pool)).map(({ shard }) => shard),
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]()
      await endPool(pool).catch(() => {})
    },
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

const nothing: Round = { deliveries: 0, rowsRead: 0, rowsRefused: 0, cellsAdded: 0, isFull: false }

/** A shard that fails is left alone for a while. Shards that are added later are found within `shardsEveryMs`. */
export function createShardTurns(options: ShardTurnsOptions): ShardTurns {
  const opened = new Map<number, ShardWorker>()
  const open = (shard: number): ShardWorker => {
    const known = opened.get(shard) ?? openShardWorker(shard, options)
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
      const measured = await Promise.all(Array.from(await readShards(), (shard) => open(shard).measure()))
      const byQueue = Map.groupBy(measured.flat(), ({ queue }) => queue)
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
      await Promise.all(Array.from(opened.values(), (one) => one[Symbol.asyncDispose]()))
    },
  }
}
