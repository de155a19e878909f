import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { runCommands } from './citus.ts'
import { toLabel } from './history.ts'
import { withoutComments, type MigrationFile } from './migration-files.ts'

/** How long a command waits for a lock. Meanwhile, statements that come later wait behind it. Milliseconds. */
const lockMsMax = 2_000

/** The same for a command behind which no statement waits. Milliseconds. */
const concurrentLockMsMax = 120_000

/** For all tries together. Milliseconds. */
const triesMsMax = 120_000

/** After the first try; twice as long after each further one. Milliseconds. */
const pauseMsMin = 250
const pauseMsMax = 8_000

/** `lock_not_available` and `deadlock_detected`. */
const lockFaults = new Set<unknown>(['55P03', '40P01'])

/** Repeats what a lock of others stopped, after a pause in which they can end. Anything else that fails is thrown. */
export async function retryLocked(run: () => Promise<void>): Promise<void> {
  const untilMs = performance.now() + triesMsMax
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    try {
      return await run()
    } catch (error) {
      const isLocked = lockFaults.has((error as { code?: string }).code)
      if (!isLocked || performance.now() + pauseMs > untilMs) throw error
      await sleep(pauseMs)
    }
  }
}

/** Runs commands in one transaction, in which no statement of others waits longer than for `lockMsMax`. */
export async function inLockedTransaction(client: Client, run: () => Promise<void>): Promise<void> {
  // On Citus the other nodes wait no longer either. Of an extension that is not there, any setting is accepted.
  await client.query(`set citus.propagate_set_commands = 'local'`)
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockMsMax}`)
    await run()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** @returns undefined if there is no such index */
async function isValid(client: Client, schema: string, index: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
    [`${schema}.${index}`],
  )
  return rows[0]?.valid
}

/** Runs them outside a transaction. An index that an interrupted call completed is kept, and one that it left is replaced. */
async function runConcurrently(client: Client, schema: string, commands: readonly string[]): Promise<void> {
  await client.query(`set lock_timeout = ${concurrentLockMsMax}`)
  try {
    for (const command of commands) {
      const created = /^create .*? concurrently\s+(?:if not exists\s+)?(\w+)/i.exec(withoutComments(command))
      const valid = created === null ? undefined : await isValid(client, schema, created[1]!)
      if (valid === true) continue
      if (valid === false) await client.query(`drop index concurrently if exists ${schema}.${created![1]}`)
      await client.query(command)
    }
  } finally {
    await client.query('set lock_timeout = 0').catch(() => {})
  }
}

/**
 * Runs a migration and records it, in one transaction unless it is concurrent. It waits for locks briefly and repeatedly, so that
 * nothing waits behind it. Interrupted anywhere, the next call completes it.
 *
 * @throws Error that names it
 */
export async function runMigration(
  client: Client,
  schema: string,
  file: MigrationFile,
  now: () => number,
): Promise<void> {
  const { number, name, sha256, contract, commands, isConcurrent } = file
  const record = async (): Promise<void> => {
    await client.query(
      'insert into migrations (number, name, sha256, applied_at, contract) values ($1, $2, $3, $4, $5)',
      [number, name, sha256, new Date(now()).toISOString(), contract],
    )
  }
  try {
    if (isConcurrent) {
      await retryLocked(() => runConcurrently(client, schema, commands))
      await record()
    } else {
      await retryLocked(() =>
        inLockedTransaction(client, async () => {
          await runCommands(client, commands)
          await record()
        }),
      )
    }
  } catch (error) {
    throw new Error(`migration ${toLabel(schema, file)} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
