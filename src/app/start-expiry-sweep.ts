import type { AppContext } from './app-context.ts'
import { toShardSchema } from '../platform/database/schemas.ts'
import { deleteFullBuckets } from '../platform/rate-limit/delete-full-buckets.ts'
import { deleteOldCalls } from '../console/app-connections/expiry.ts'
import { deleteOldAuditEvents, deleteOldDeploymentEvents } from '../company/audit/expiry.ts'
import { deleteOldRefusedCalls } from '../console/refused-calls/expiry.ts'
import { deleteOldMarks } from '../company/attention/expiry.ts'
import { deleteExpiredLinks, deleteExpiredLinkUses } from '../company/links/expiry.ts'
import { deleteDueCompanies } from '../company/deletions/delete-due-companies.ts'
import { deleteEndedCredentials } from '../company/connections/expiry.ts'
import { deleteOldMoves } from '../engine/moves/end-moves.ts'
import { databaseTimeMs } from '../platform/clock/database-time.ts'
import { pageLockTimeoutMs } from '../platform/database/deadlines.ts'
import { expiredRowsMax, type DeleteExpired } from '../platform/database/expired-rows.ts'
import { createPool } from '../platform/database/pool.ts'
import { createSchemaPools } from '../platform/database/schema-pools.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { deleteExpiredOrders, deleteUsedLogoutTokens } from '../people/identity/expiry.ts'
import { deleteExpiredInvitations } from '../console/memberships/expiry.ts'
import { deleteExpiredSessions } from '../people/sessions/expiry.ts'
import { deleteUnusedApps } from '../oauth/register/expiry.ts'
import { deleteExpiredAppTokens, deleteExpiredCodes, deleteExpiredTokens } from '../oauth/token/expiry.ts'
import { deleteEndedSigningSecrets } from '../company/sources/signing-secrets/expiry.ts'
import { deleteUnseenProcesses } from './expiry.ts'
import { proveTime } from './prove-time.ts'
import { lockTimeProof, updateTimeProof } from './queries.ts'

/** How often what has expired is deleted. Milliseconds. */
const sweepEveryMs = 60_000

/**
 * How long what has expired is kept before it is deleted, in milliseconds: a clock that is wrong by less deletes
 * nothing that is still of use. It opens nothing meanwhile.
 */
export const sweepGraceMs = 24 * 60 * 60_000

/** How long nothing is deleted after a clock was at fault. Milliseconds. */
export const sweepSettleMs = 60 * 60_000

/** The deletions that cannot be undone, of the shared schemas and of each shard. */
const deletions: DeleteExpired[] = [
  deleteExpiredTokens,
  deleteExpiredCodes,
  deleteExpiredAppTokens,
  deleteUnusedApps,
  deleteOldCalls,
  deleteEndedCredentials,
  deleteExpiredSessions,
  deleteExpiredInvitations,
  deleteOldAuditEvents,
  deleteOldDeploymentEvents,
  ...deleteExpiredOrders,
  deleteUsedLogoutTokens,
  deleteExpiredLinks,
  deleteExpiredLinkUses,
  deleteOldMarks,
  deleteUnseenProcesses,
]
const deletionsOfShard: DeleteExpired[] = [deleteOldRefusedCalls, deleteEndedSigningSecrets]

export interface ExpirySweepOptions {
  /** The database's own clock, in milliseconds since 1970, where a test has another one. */
  databaseNow?: () => Promise<number>
}

export interface ExpirySweep {
  /** Deletes what has expired, if the time is proven. Fails where the database is unavailable. */
  sweep(): Promise<void>
  /** Ends a sweep after the statement under way. */
  stop(): void
}

type SweepContext = Pick<AppContext, 'pool' | 'clock' | 'log' | 'telemetry'> & {
  shards: { list(): Promise<Pick<AppContext, 'pool'>[]> }
  /** Deletes what is left of moves that ended before an instant. */
  deleteOldMoves?: (beforeMs: number, signal: AbortSignal) => Promise<void>
  /** Deletes the companies whose grace period was over at an instant. */
  deleteDueCompanies?: (atMs: number, signal: AbortSignal) => Promise<void>
}

/** Why nothing may be deleted by the time that this process keeps. */
function getDoubt({ clock }: SweepContext): string | undefined {
  const fault = clock.fault?.()
  if (fault !== undefined) return fault
  const sinceMs = clock.sinceFaultMs?.() ?? Infinity
  return sinceMs < sweepSettleMs ? 'A clock was at fault within the last hour.' : undefined
}

/** Checks the deployment's record of its time. Of two processes at the same time the second finds what the first has written. */
async function checkProof({ pool }: SweepContext, nowMs: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const row = (await lockTimeProof.first(client, {}))!
    const proof = proveTime(
      {
        provenMs: row.time_proven_at?.getTime() ?? null,
        checkedMs: row.time_checked_at?.getTime() ?? null,
        agreedForMs: Number(row.checks_agreed_for_ms),
      },
      nowMs,
    )
    await updateTimeProof.run(client, {
      provenAt: proof.provenMs === null ? null : new Date(proof.provenMs),
      checkedAt: new Date(nowMs),
      agreedForMs: proof.agreedForMs,
    })
    return proof.isProven
  })
}

/**
 * Deletes what has expired, which cannot be undone. It goes by the earlier of two clocks, the service's and the
 * database's own, and stops while either is in doubt (`keep-time.ts`, `prove-time.ts`). Only full buckets are deleted
 * in any case, since at worst a caller gets a full one too early.
 */
export function createExpirySweep(context: SweepContext, options: ExpirySweepOptions = {}): ExpirySweep {
  const { pool, clock, log, telemetry } = context
  const databaseNow = options.databaseNow ?? (async () => Math.floor(await databaseTimeMs(pool)))
  const stopping = new AbortController()
  let pausedFor: string | undefined

  const setPaused = (why: string | undefined): void => {
    telemetry.expirySweepPaused.set(why === undefined ? 0 : 1)
    if (why === pausedFor) return
    pausedFor = why
    if (why === undefined) log.info('the expiry sweep continues')
    else log.warn({ why }, 'the expiry sweep is paused: nothing expired is deleted')
  }
  /** In several statements. A failed one is retried by the next sweep, and does not stop the others. */
  const deleteAll = async (
    on: Pick<AppContext, 'pool'>,
    deleteSome: DeleteExpired,
    atMs: number,
  ): Promise<void> => {
    try {
      for (let deleted = expiredRowsMax; deleted === expiredRowsMax && !stopping.signal.aborted;) {
        deleted = await deleteSome({ ...context, pool: on.pool }, atMs)
      }
    } catch (error) {
      log.warn({ err: error, table: deleteSome.table }, 'the expiry sweep failed')
    }
  }

  return {
    sweep: async () => {
      const nowMs = Math.min(clock.now(), await databaseNow())
      await deleteAll(context, deleteFullBuckets, nowMs)
      const doubt = getDoubt(context)
      const isProven = doubt === undefined && (await checkProof(context, nowMs))
      setPaused(
        doubt ??
          (isProven ? undefined : 'The present is before the last sweep, or more than a day after it.'),
      )
      if (!isProven) return
      const atMs = nowMs - sweepGraceMs
      for (const deleteSome of deletions) await deleteAll(context, deleteSome, atMs)
      for (const shard of await context.shards.list())
        for (const deleteSome of deletionsOfShard) await deleteAll(shard, deleteSome, atMs)
      await context.deleteOldMoves?.(atMs, stopping.signal)
      await context.deleteDueCompanies?.(atMs, stopping.signal)
    },
    stop: () => stopping.abort(),
  }
}

/**
 * Sweeps at intervals, as long as the service runs. Any number of processes may do so. It has a connection of
 * its own, on which a statement may take longer than on a page's.
 */
export function startExpirySweep(context: AppContext): AsyncDisposable {
  const pools = createSchemaPools({
    url: context.pool.options.connectionString!,
    open: (at) =>
      createPool({
        ...at,
        connectionsMax: 1,
        name: 'numera expiry sweep',
        lockTimeoutMs: pageLockTimeoutMs,
        onIdleError: (error) => context.log.warn({ err: error }, 'a database connection broke'),
      }),
  })
  const expirySweep = createExpirySweep({
    ...context,
    pool: pools.get('access'),
    shards: {
      list: async () => {
        const shards = await context.shards.list()
        return shards.map(({ shard }) => ({ pool: pools.get(toShardSchema(shard)) }))
      },
    },
    deleteOldMoves: (beforeMs, signal) => deleteOldMoves(context, beforeMs, signal),
    deleteDueCompanies: (atMs, signal) => {
      const toShard = (shard: number) => ({ shard, pool: pools.get(toShardSchema(shard)) })
      return deleteDueCompanies({ ...context, pool: pools.get('access'), toShard }, atMs, signal)
    },
  })
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(expirySweep.sweep).catch((error: unknown) => {
      context.log.warn({ err: error }, 'the expiry sweep failed')
    })
  }, sweepEveryMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      expirySweep.stop()
      // A statement under way is cut where it takes too long: what it deletes will be there the next time.
      await pools.end()
      await running
    },
  }
}
