import { defineStatement } from '../database/define-statement.ts'

type None = Record<string, never>

/** False before the migration that makes the table. */
export const selectHasMasterKeys = defineStatement<{ present: boolean }, None>(
  'keys.select-has-master-keys',
  `select to_regclass('master_keys') is not null as present`,
)

/** Recording and retiring keys wait for each other here; sealing does not wait. */
export const lockMasterKeys = defineStatement<never, None>(
  'keys.lock-master-keys',
  `lock table master_keys in share row exclusive mode`,
)

/** The keys that values may be sealed under, and those that none is sealed under any more. */
export const selectMasterKeys = defineStatement<
  { fingerprint: Buffer; recorded_at: Date | null; retired_at: Date | null },
  None
>(
  'keys.select-master-keys',
  `select fingerprint, recorded_at, null::timestamptz as retired_at
   from master_keys
   union all
   select fingerprint, null::timestamptz as recorded_at, retired_at
   from retired_master_keys`,
)

export const insertMasterKey = defineStatement<never, { fingerprint: Buffer; at: Date }>(
  'keys.insert-master-key',
  `insert into master_keys (fingerprint, recorded_at)
   values ($fingerprint::bytea, $at::timestamptz)`,
)

/** Fails on its references while anything is sealed under one of them. */
export const deleteMasterKeysBut = defineStatement<{ fingerprint: Buffer }, { currentFingerprint: Buffer }>(
  'keys.delete-master-keys-but',
  `delete from master_keys where fingerprint <> $currentFingerprint::bytea returning fingerprint`,
)

export const insertRetiredMasterKey = defineStatement<never, { fingerprint: Buffer; at: Date }>(
  'keys.insert-retired-master-key',
  `insert into retired_master_keys (fingerprint, retired_at) values ($fingerprint::bytea, $at::timestamptz)`,
)

export const selectDeploymentKeys = defineStatement<{ name: string; sealed: Buffer }, None>(
  'keys.select-deployment-keys',
  `select name, sealed
   from deployment_keys`,
)

export const insertDeploymentKey = defineStatement<never, { name: string; sealed: Buffer; at: Date }>(
  'keys.insert-deployment-key',
  `insert into deployment_keys (name, sealed, created_at)
   values ($name::text, $sealed::bytea, $at::timestamptz)`,
)
