import { defineStatement } from '../platform/database/define-statement.ts'
import type { AppliedMigration } from '../platform/database/migrations/history.ts'

type None = Record<string, never>

export interface AppliedRow {
  schema: 'directory' | 'access' | 'shard'
  /** In order. */
  migrations: AppliedMigration[]
}

const migrationsAsJson = `
  json_agg(
    json_build_object('number', number, 'name', name, 'sha256', sha256, 'contract', contract)
    order by number
  ) as migrations`

/** The migrations of the shared schemas. Fails where there are none at all. */
export const readAppliedMigrations = defineStatement<AppliedRow, None>(
  'service.read-applied-migrations',
  `
  select 'directory' as schema, ${migrationsAsJson}
  from directory.migrations
  union all
  select 'access', ${migrationsAsJson}
  from access.migrations`,
)

/** The migrations of the shard of the connection. Fails where there are none at all. */
export const readAppliedOfShard = defineStatement<AppliedRow, None>(
  'service.read-applied-of-shard',
  `
  select 'shard' as schema, ${migrationsAsJson}
  from migrations`,
)

/** Stores that a process runs, with the last migration of each schema that it knows. */
export const recordProcess = defineStatement<
  never,
  { processId: string; release: string; directory: number; access: number; shard: number; at: Date }
>(
  'service.record-process',
  `
  insert into processes (
    process_id, release, directory_migration, access_migration, shard_migration, seen_at
  )
  values (
    $processId::uuid, $release::text, $directory::integer, $access::integer, $shard::integer, $at::timestamptz
  )
  on conflict (process_id) do update set seen_at = excluded.seen_at`,
)

export const deleteProcess = defineStatement<never, { processId: string }>(
  'service.delete-process',
  `
  delete from processes
  where process_id = $processId::uuid`,
)

export interface RunningRelease {
  release: string
  processes: string
  /** The lowest of its processes. */
  directory: number
  access: number
  shard: number
  seen_at: Date
}

/** The releases of which processes were seen since an instant. */
export const selectRunningReleases = defineStatement<RunningRelease, { since: Date }>(
  'service.select-running-releases',
  `
  select release, count(*) as processes, min(directory_migration) as directory,
    min(access_migration) as access, min(shard_migration) as shard, max(seen_at) as seen_at
  from processes
  where seen_at > $since::timestamptz
  group by release
  limit 100`,
)

export const lockTimeProof = defineStatement<
  { time_proven_at: Date | null; time_checked_at: Date | null; checks_agreed_for_ms: string },
  None
>(
  'service.lock-time-proof',
  `
  select time_proven_at, time_checked_at, checks_agreed_for_ms
  from expiry_sweep
  for update`,
)

export const updateTimeProof = defineStatement<
  never,
  { provenAt: Date | null; checkedAt: Date; agreedForMs: number }
>(
  'service.update-time-proof',
  `
  update expiry_sweep
  set
    time_proven_at = $provenAt::timestamptz,
    time_checked_at = $checkedAt::timestamptz,
    checks_agreed_for_ms = $agreedForMs::bigint`,
)
