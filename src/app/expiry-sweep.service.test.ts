import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '../platform/clock/clock.ts'
import { clockSources, startDeploymentClock } from '../platform/clock/deployment-clock.ts'
import { expiredRowsMax } from '../platform/database/expired-rows.ts'
import { uuidv7 } from '../formats/values/uuidv7.ts'
import { seal } from '../platform/keys/seal.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCode,
  seedCompany,
} from '../../testing/in-process/seed.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { ocspToleranceMs } from '../people/identity/bankid/evidence/verify-ocsp.ts'
import { createExpirySweep, sweepGraceMs, sweepSettleMs } from './start-expiry-sweep.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const { database, context } = await startTestService()
const { pool } = database
const { clock } = context
/** What expires and is then deleted. */
const tables = [
  'tokens',
  'credentials',
  'authorization_codes',
  'app_tokens',
  'apps',
  'app_calls',
  'refused_calls',
  'webhook_secrets',
  'sessions',
  'invitations',
  'links',
  'link_uses',
  'attention_marks',
  'audit_events',
  'identity_orders',
  'demo_identity_orders',
  'bankid_orders',
  'openid_connect_orders',
  'used_logout_tokens',
]
let databaseMs: number

/**
 * A row in each of the tables, whose time is over an hour from now (an app's and a refused call's in 30 days; an app's
 * call's and what was done in 400).
 */
beforeEach(async () => {
  clock.set('2026-01-15T12:00:00Z')
  databaseMs = clock.now()
  await pool.query(`delete from rate_buckets`)
  for (const table of tables) await pool.query(`delete from ${table}`)
  await pool.query(
    'update expiry_sweep set time_proven_at = null, time_checked_at = null, checks_agreed_for_ms = 0',
  )
  const { company, owner } = await seedCompany(context)
  const app = await seedApp(context)
  await seedApp(context)
  const expiresAt = new Date(clock.now() + hour)
  const connection = await seedAppConnection(context, { app, member: owner, expiresAt })
  await seedCode(context, connection)
  await seedAppToken(context, connection)
  const now = new Date(clock.now())
  await pool.query(
    `insert into app_calls (connection_id, call_id, method, path, status, called_at)
     values ($1, $2, 'GET', '/v1/samples', 200, $3)`,
    [connection.connectionId, uuidv7(clock.now()), now],
  )
  await pool.query(
    `insert into refused_calls (company_id, call_id, caller_id, signed, channel, method, path, status, code, calls, called_at)
     values ($1, $2, $2, true, 'push', 'POST', '/v1/ingest', 400, 'invalid_argument', 1, $3)`,
    [company.companyId, uuidv7(clock.now()), now],
  )
  await pool.query(
    `with one as (
       insert into connections (company_id, connection_id, name, kind, credential_kind, permissions, created_at)
       values ($1, gen_random_uuid(), 'One', 'production', 'client', '{}', $2) returning connection_id
     ), its_secret as (
       insert into credentials (credential_hash, connection_id, kind, created_at, ends_at)
       select 'a', connection_id, 'secret', $2, $3 from one
     )
     insert into tokens (token_hash, connection_id, issued_at, expires_at) select 'a', connection_id, $2, $3 from one`,
    [company.companyId, now, expiresAt],
  )
  await pool.query(
    `with one as (
       insert into sources (company_id, source_id, name, system_kind, channel, shape_version, projection_id,
         distinct_salt, created_at)
       values ($1, gen_random_uuid(), 'Shop', 'shop', 'webhook', 1, 1, '', $2) returning source_id
     )
     insert into webhook_secrets (company_id, source_id, secret_id, sealed, created_at, ends_at)
     select $1, source_id, gen_random_uuid(), $4, $2, $3 from one`,
    [company.companyId, now, expiresAt, seal(context.keys.master, '', 'test')],
  )
  await pool.query(
    `insert into sessions (session_hash, session_id, member_id, provider, personal_number_sealed, created_at,
       last_active_at, expires_at)
     values ('a', gen_random_uuid(), $1, 'demo', $4, $2, $2, $3)`,
    [owner.memberId, now, expiresAt, seal(context.keys.master, '', 'test')],
  )
  await pool.query(
    `insert into invitations (company_id, invitation_id, token_hash, role, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), 'a', 'reader', $2, $3, $4)`,
    [company.companyId, owner.memberId, now, expiresAt],
  )
  const long = clock.now() - 400 * day + hour
  await pool.query(
    `insert into links (company_id, link_id, kind, name, token_hash, language, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), 'feed', 'Feed', 'a', 'en', $2, $3, $4)`,
    [company.companyId, owner.memberId, now, expiresAt],
  )
  await pool.query(
    `insert into link_uses (company_id, link_id, used_on, expires_at) values ($1, gen_random_uuid(), $2, $3)`,
    [company.companyId, now, expiresAt],
  )
  await pool.query(
    `insert into attention_marks (company_id, item, version, member_id, marked_at) values ($1, 'x', '1', $2, $3)`,
    [company.companyId, owner.memberId, new Date(long)],
  )
  await pool.query(
    `insert into identity_orders (order_id, provider, provider_reference, purpose, return_to, state, created_at, expires_at)
     values (gen_random_uuid(), 'demo', 'a', 'sign_in', '/', 'pending', $1, $2)`,
    [now, expiresAt],
  )
  await pool.query(
    `insert into demo_identity_orders (reference, state, created_at, expires_at) values ('a', 'pending', $1, $2)`,
    [now, expiresAt],
  )
  await pool.query(
    `insert into bankid_orders (reference, state, hint, started_at, next_collect_at, collect_count, created_at, expires_at)
     values ('a', 'failed', 'userCancel', $1, $1, 1, $1, $2)`,
    [now, expiresAt],
  )
  await pool.query(
    `insert into openid_connect_orders (reference, state, created_at, expires_at)
     values ('a', 'pending', $1, $2)`,
    [now, expiresAt],
  )
  await pool.query(
    `insert into used_logout_tokens (token_hash, issued_at, expires_at) values ('a', $1, $2)`,
    [now, expiresAt],
  )
})

const countRows = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await pool.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`)
    counts[table] = rows[0]!.rows
  }
  return counts
}
const all = {
  tokens: 1,
  credentials: 1,
  authorization_codes: 1,
  app_tokens: 2,
  apps: 2,
  app_calls: 1,
  refused_calls: 1,
  webhook_secrets: 1,
  sessions: 1,
  invitations: 1,
  links: 1,
  link_uses: 1,
  attention_marks: 1,
  // The owner was added.
  audit_events: 1,
  identity_orders: 1,
  demo_identity_orders: 1,
  bankid_orders: 1,
  openid_connect_orders: 1,
  used_logout_tokens: 1,
}
const none = Object.fromEntries(tables.map((table) => [table, 0]))

/** A sweep of a process with this clock; the database's is what the test says. */
const sweepWith = (other: Clock = clock) =>
  createExpirySweep({ ...context, clock: other }, { databaseNow: async () => databaseMs })
const isHeld = async (): Promise<boolean> =>
  (await context.telemetry.registry.getSingleMetricAsString('numera_expiry_sweep_paused')).endsWith(' 1')
/** Advances both clocks. */
const goOn = (ms: number): void => {
  clock.advance(ms)
  databaseMs += ms
}
/** Days pass, with a sweep in each. */
const pass = async (days: number): Promise<void> => {
  const { sweep } = sweepWith()
  for (let passed = 0; passed < days; passed++) {
    goOn(day)
    await sweep()
  }
}

test('a process whose clock is 401 days ahead deletes nothing that cannot be undone', async () => {
  const { sweep } = sweepWith()
  await sweep()
  clock.advance(401 * day)
  await sweep()
  expect(await countRows()).toEqual(all)
  // A process that was started then is no different, nor a deployment that has never swept.
  await sweepWith().sweep()
  expect(await countRows()).toEqual(all)
  await pool.query('update expiry_sweep set time_proven_at = null')
  await sweepWith().sweep()
  expect(await countRows()).toEqual(all)
})

test('a database whose clock is 401 days ahead deletes nothing that cannot be undone', async () => {
  const { sweep } = sweepWith()
  await sweep()
  databaseMs += 401 * day
  await sweep()
  expect(await countRows()).toEqual(all)
})

test('a machine whose service and database start 401 days ahead deletes nothing that cannot be undone', async () => {
  await sweepWith().sweep()
  goOn(401 * day)
  const { sweep } = sweepWith()
  for (let minutes = 0; minutes < 60; minutes++) {
    await sweep()
    goOn(minute)
  }
  expect(await countRows()).toEqual(all)
  expect(await isHeld()).toBe(true)
  goOn(-401 * day)
  await sweepWith().sweep()
  expect(await isHeld()).toBe(false)
  expect(await countRows()).toEqual(all)
})

test('a service with the test clock years ahead deletes nothing that cannot be undone', async () => {
  await using time = await startDeploymentClock(clockSources(pool))
  const now = new Date(time.clock.now())
  const live = new Date(time.clock.now() + hour)
  await pool.query('update tokens set expires_at = $1', [live])
  await pool.query('update app_tokens set expires_at = $1', [live])
  await pool.query('update apps set last_used_at = $1', [now])
  const { sweep } = createExpirySweep({ ...context, clock: time.clock })
  await sweep()
  time.clock.advance(10 * 365 * day)
  await sweep()
  await sweep()
  expect(await countRows()).toMatchObject({ tokens: 1, app_tokens: 2, apps: 2 })
})

test('with the right time, expired rows are deleted a day later, and not before', async () => {
  const { sweep } = sweepWith()
  await sweep()
  goOn(hour + sweepGraceMs - 2 * minute)
  await pool.query('update expiry_sweep set time_proven_at = $1', [new Date(databaseMs - day)])
  await sweep()
  // A code lasts five minutes.
  expect(await countRows()).toEqual({ ...all, authorization_codes: 0 })
  goOn(2 * minute)
  await sweep()
  expect(await countRows()).toEqual({ ...none, apps: 2, app_calls: 1, audit_events: 1, refused_calls: 1 })
  await pass(29)
  expect(await countRows()).toEqual({ ...none, apps: 2, app_calls: 1, audit_events: 1, refused_calls: 1 })
  await pass(1)
  expect(await countRows()).toEqual({ ...none, app_calls: 1, audit_events: 1 })
  await pass(369)
  expect(await countRows()).toEqual({ ...none, app_calls: 1, audit_events: 1 })
  await pass(1)
  expect(await countRows()).toEqual(none)
  expect(await isHeld()).toBe(false)
})

test('nothing is deleted while a clock is at fault, and for an hour afterwards', async () => {
  let fault: string | undefined = "This machine's clock is 21 s behind the time that this process keeps."
  let sinceFaultMs = 0
  const doubtful: Clock = { now: () => clock.now(), fault: () => fault, sinceFaultMs: () => sinceFaultMs }
  const { sweep } = sweepWith(doubtful)
  // Expired, and swept by others since.
  goOn(3 * day)
  await pool.query('update expiry_sweep set time_proven_at = $1', [new Date(databaseMs - minute)])
  await sweep()
  expect(await isHeld()).toBe(true)
  fault = undefined
  sinceFaultMs = sweepSettleMs - 1
  await sweep()
  expect(await isHeld()).toBe(true)
  expect(await countRows()).toEqual(all)
  sinceFaultMs = sweepSettleMs
  await sweep()
  expect(await isHeld()).toBe(false)
  expect(await countRows()).toEqual({ ...none, apps: 2, app_calls: 1, audit_events: 1, refused_calls: 1 })
})

test('many expired rows are deleted in parts', async () => {
  const { rowCount } = await pool.query(
    `insert into tokens (token_hash, connection_id, issued_at, expires_at)
     select int4send(number), connection_id, issued_at, expires_at
     from tokens, generate_series(1, $1::integer) as number`,
    [2 * expiredRowsMax + 1],
  )
  expect(rowCount).toBeGreaterThan(2 * expiredRowsMax)
  goOn(2 * day)
  const largest: number[] = []
  const counting = Object.assign(Object.create(pool) as typeof pool, {
    query: async (...words: Parameters<typeof pool.query>) => {
      const result = await pool.query(...words)
      largest.push((result as unknown as { rowCount: number }).rowCount)
      return result
    },
  })
  await createExpirySweep({ ...context, pool: counting }, { databaseNow: async () => databaseMs }).sweep()
  expect((await countRows())['tokens']).toBe(0)
  expect(Math.max(...largest)).toBe(expiredRowsMax)
})

test('several processes may sweep concurrently', async () => {
  goOn(2 * day)
  await Promise.all(Array.from({ length: 4 }, () => sweepWith().sweep()))
  expect(await countRows()).toEqual({ ...none, apps: 2, app_calls: 1, audit_events: 1, refused_calls: 1 })
})

const subjects = async (): Promise<string[]> =>
  (await pool.query<{ subject: string }>('select subject from rate_buckets order by subject')).rows.map(
    ({ subject }) => subject,
  )
const insertBucket = (subject: string, fullMs: number) =>
  pool.query('insert into rate_buckets values ($1, $2, 1, 20, 1000000)', [subject, fullMs * 1_000])

test('full buckets are deleted by the earlier clock, even while the sweep is paused', async () => {
  await insertBucket('full', databaseMs - 1)
  await insertBucket('filling', databaseMs + minute)
  clock.advance(hour)
  await sweepWith({ now: () => clock.now(), fault: () => 'doubt' }).sweep()
  expect(await subjects()).toEqual(['filling'])
})

test('an order at BankID is stored for longer than another order could get its answer', () => {
  expect(sweepGraceMs).toBeGreaterThan(2 * ocspToleranceMs)
})
