/** The operator's switch for the issuing of tokens, a row of `deployment_switches` while it is off. */
import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'

const selectTokenSwitch = defineStatement<{ off_since: Date }, Record<string, never>>(
  'oauth.select-token-switch',
  `
  select off_since
  from deployment_switches
  where name = 'tokens'`,
)

/** Since when no tokens are issued; undefined while they are. */
export async function readTokenSwitch(on: Queryable): Promise<Date | undefined> {
  return (await selectTokenSwitch.first(on, {}))?.off_since
}

const insertSwitch = defineStatement<{ off_since: Date }, { now: Date }>(
  'oauth.insert-token-switch',
  `
  insert into deployment_switches (name, off_since)
  values ('tokens', $now::timestamptz)
  on conflict (name) do update set off_since = deployment_switches.off_since
  returning off_since`,
)

/** Stops the issuing of tokens, if it is not stopped; gives since when it is. */
export async function insertTokenSwitch(on: Queryable, now: Date): Promise<Date> {
  return (await insertSwitch.first(on, { now }))!.off_since
}

const deleteSwitch = defineStatement<never, Record<string, never>>(
  'oauth.delete-token-switch',
  `
  delete from deployment_switches
  where name = 'tokens'`,
)

export async function deleteTokenSwitch(on: Queryable): Promise<void> {
  await deleteSwitch.run(on, {})
}
