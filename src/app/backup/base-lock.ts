import type { Client } from 'pg'

/** An arbitrary number that nothing else in this database uses for an advisory lock. */
const lockKey = 7_862_693_119

/**
 * Until the connection ends, nothing that a base could be made of is deleted: it does not send what is stored already, and
 * nothing needs that before its end.
 */
export async function lockForBase(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [lockKey])
}

/** Whether no base is being taken, and none can be until the connection ends. Waits for no one. */
export async function tryLockForDeletion(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    lockKey,
  ])
  return rows[0]!.locked
}
