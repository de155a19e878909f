import { defineStatement } from '../database/define-statement.ts'

/** Neither before the migration that makes the table. */
export const selectHasMasterKeys = defineStatement<{ present: boolean }, []>(
  'keys.select_has_master_keys',
  `select to_regclass('master_keys') is not null as present`,
)

/** Whoever starts or retires a key waits here; who seals under one does not. */
export const lockMasterKeys = defineStatement<never, []>(
  'keys.lock_master_keys',
  `lock table master_keys in share row exclusive mode`,
)

/** The keys that anything may be sealed under, and those that nothing is any more. */
export const selectMasterKeys = defineStatement<{ fingerprint: Buffer; retired_at: Date | null }, []>(
  'keys.select_master_keys',
  `select fingerprint, null::timestamptz as retired_at from master_keys
   union all
   select fingerprint, retired_at from retired_master_keys`,
)

export const insertMasterKey = defineStatement<never, [fingerprint: Buffer, at: Date]>(
  'keys.insert_master_key',
  `insert into master_keys (fingerprint, recorded_at) values ($1::bytea, $2::timestamptz)`,
)

/** Fails on its references while anything is sealed under one of them. */
export const retireMasterKeysBut = defineStatement<
  { fingerprint: Buffer },
  [currentFingerprint: Buffer, at: Date]
>(
  'keys.retire_master_keys_but',
  `with gone as (
     delete from master_keys where fingerprint <> $1::bytea returning fingerprint
   )
   insert into retired_master_keys (fingerprint, retired_at)
   select fingerprint, $2::timestamptz from gone
   returning fingerprint`,
)

export const selectDeploymentKeys = defineStatement<{ name: string; sealed: Buffer }, []>(
  'keys.select_deployment_keys',
  `select name, sealed from deployment_keys`,
)

export const insertDeploymentKey = defineStatement<never, [name: string, sealed: Buffer, at: Date]>(
  'keys.insert_deployment_key',
  `insert into deployment_keys (name, sealed, made_at) values ($1::text, $2::bytea, $3::timestamptz)`,
)

export const takeDeploymentKeysUnder = defineStatement<
  { name: string; sealed: Buffer },
  { fingerprint: Buffer; rowsMax: number }
>(
  'keys.take-deployment-keys-under',
  `select name, sealed from deployment_keys
   where sealed_under = $fingerprint::bytea
   limit $rowsMax::integer
   for update skip locked`,
)

export const updateDeploymentKeys = defineStatement<never, [names: string[], sealed: Buffer[]]>(
  'keys.update_deployment_keys',
  `update deployment_keys as d set sealed = n.sealed
   from unnest($1::text[], $2::bytea[]) as n (name, sealed)
   where d.name = n.name`,
)
