import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { isOnCitus } from '../../../testing/process/databases.ts'
import {
  startShardedScene,
  type SentAnswer,
  type ShardedCompany,
} from '../../../testing/in-process/scenes/sharded-scene.ts'
import { holdMsMax, moverSilentMsMax } from '../../people/companies/moves/company-move.ts'
import { listMoves } from '../../people/companies/moves/transitions.ts'
import { pauseSource } from '../../company/sources/pause-source.ts'
import { rotateSigningSecret } from '../../company/sources/signing-secrets/rotate-signing-secret.ts'
import { compareProjections, sourcesToCompare } from '../projections/compare-projections.ts'
import { deleteOldMoves, recoverMoves } from './end-moves.ts'
import { carryOutMove, moveCompany, type MoveOptions } from './move-company.ts'
import type { MoveStep } from './move-run.ts'
import { movedStages, readMovedTables } from './moved-tables.ts'

const { context, shards, database, workers, addCompany } = await startShardedScene()

let company: ShardedCompany
beforeEach(async () => {
  company = await addCompany()
})
afterEach(async () => {
  await context.pool.query('delete from company_moves')
})

const move = (options: Partial<MoveOptions> = {}) =>
  moveCompany(context, { companyId: company.companyId, to: 2, oldRowsKeptMs: 0, ...options })

const place = async (): Promise<number> => (await shards.ofCompany(company.companyId)).shard

/** How many rows of the company are in a shard, over all tables. */
const countRows = async (shard: number): Promise<number> => {
  const { pool } = shards.get(shard)
  let rows = 0
  for (const table of Object.keys(movedStages)) {
    const counted = await pool.query(`select count(*)::int4 as rows from ${table} where company_id = $1`, [
      company.companyId,
    ])
    rows += counted.rows[0].rows
  }
  return rows
}

const parseAll = async (): Promise<void> => {
  for (const { worker } of workers) await worker.drain()
}

/** What was pushed, and what came by webhook. */
const readRevenue = async (): Promise<string[]> => {
  const { pool } = await shards.ofCompany(company.companyId)
  const { rows } = await pool.query(
    `select samples.value::text
     from samples join sources on sources.company_id = samples.company_id and sources.source_id = samples.source_id
     where samples.company_id = $1 and samples.projection_id = sources.projection_id
     order by sources.channel`,
    [company.companyId],
  )
  return rows.map((row) => row.value)
}

/** That aggregating all stored deliveries again makes no difference, as `rebuild --check` does. */
const checkRebuild = async (): Promise<void> => {
  const { pool, shard } = await shards.ofCompany(company.companyId)
  const { worker, projections } = workers[shard - 1]!
  const work = async (): Promise<void> => {
    await projections.step()
    await worker.round()
  }
  const sources = await sourcesToCompare({ pool, shard }, company.companyId, null)
  expect(sources).toHaveLength(2)
  for (const source of sources) {
    const compared = await compareProjections({ pool, shard, clock: context.clock, work }, source)
    expect(compared).toEqual({ differences: [], inOneProjectionOnly: 0 })
  }
}

const expectReplay = async (again: Promise<SentAnswer>, first: SentAnswer): Promise<void> => {
  expect(await again).toEqual({ ...first, isReplay: true })
}

/** Repeats `act` with a number until it is stopped; gives what all of them gave. */
const repeat = <Answer>(act: (index: number) => Promise<Answer>): (() => Promise<Answer[]>) => {
  const stopping = new AbortController()
  const answers: Answer[] = []
  const running = (async () => {
    for (let index = 0; !stopping.signal.aborted; index++) {
      answers.push(await act(index))
      await sleep(25)
    }
  })()
  const stop = async (): Promise<Answer[]> => {
    stopping.abort()
    await running
    return answers
  }
  // Also where the test fails or takes too long.
  onTestFinished(async () => void (await stop()))
  return stop
}

test('a company moves while it sends, and nothing is lost, doubled or different', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, key) => company.push(`before-${key}`)))
  await company.sendWebhook('before', 'body')
  await company.sendWebhook('alias', 'body')
  await parseAll()
  const { push, sendWebhook } = company
  const pushing = [0, 1].map((client) => repeat((index) => push(`${client}-${index}`)))
  const hooking = repeat((index) => sendWebhook(`hook-${index}`))
  const working = workers.map(({ worker }) => repeat(() => worker.round()))
  await sleep(100)
  const { heldMs, from } = await move()
  expect(from).toBe(1)
  expect(heldMs).toBeLessThan(holdMsMax)
  await sleep(100)
  const pushed = await Promise.all(pushing.map((stop) => stop()))
  const hooked = await hooking()
  for (const stop of working) await stop()

  expect(await place()).toBe(2)
  const all = [...pushed.flat(), ...hooked]
  expect(all.filter(({ status, isReplay }) => status !== 202 || isReplay)).toEqual([])
  await parseAll()
  const hookedAmount = String(hooked.length + 1)
  expect(await readRevenue()).toEqual([String(pushed.flat().length + 20), hookedAmount])
  await Promise.all([
    ...pushed.flatMap((answers, client) =>
      answers.map((answer, index) => expectReplay(company.push(`${client}-${index}`), answer)),
    ),
    ...hooked.map((answer, index) => expectReplay(company.sendWebhook(`hook-${index}`), answer)),
  ])
  expect((await company.sendWebhook('alias', 'body')).isReplay).toBe(true)
  expect((await company.sendWebhook('alias', 'other')).status).toBe(409)
  await checkRebuild()
  const { rows } = await shards.get(2).pool.query(
    `select count(distinct receive_number)::int4 as numbers, count(*)::int4 as rows,
         max(receive_number) filter (where artifact_id = any ($2)) < min(receive_number) filter (where artifact_id = $3) as rise
       from deliveries where company_id = $1`,
    [
      company.companyId,
      pushed[0]!.slice(0, 5).map(({ artifactId }) => artifactId),
      pushed[0]!.at(-1)!.artifactId,
    ],
  )
  expect(rows).toEqual([{ numbers: all.length + 21, rows: all.length + 21, rise: true }])
})

test('what a member changes meanwhile is in the new shard, and refused for a moment at most', async () => {
  const { companyId, sourceId, hookId } = company
  const at = shards.get(1)
  const held: unknown[] = []
  await move({
    onStep: async (step) => {
      if (step === 'parsed copied') {
        await rotateSigningSecret(at, 'operator', companyId, hookId)
        await pauseSource(at, 'operator', companyId, sourceId)
      }
      if (step === 'held')
        held.push(await pauseSource(at, 'operator', companyId, hookId).catch((error: unknown) => error))
    },
  })
  // Once, or again where it was held for too long and let go.
  expect(new Set(held.map((error) => (error as Error).name))).toEqual(new Set(['OverloadedError']))
  const { pool } = shards.get(2)
  const { rows } = await pool.query(
    `select (select count(*)::int4 from webhook_secrets where company_id = $1) as secrets,
       (select count(*)::int4 from sources where company_id = $1 and paused_at is not null) as paused`,
    [companyId],
  )
  expect(rows).toEqual([{ secrets: 2, paused: 1 }])
  expect((await company.push('paused')).status).toBe(409)
})

const steps: MoveStep[] = isFull
  ? ['begun', 'copied', 'draining', 'drained', 'parsed copied', 'held', 'filled']
  : ['copied', 'held']

test.each(steps)('a mover that dies after the step "%s" leaves the company where it is', async (dying) => {
  await company.push('first')
  await company.sendWebhook('first')
  await parseAll()
  await company.push('waiting')
  const killed = carryOutMove(context, {
    companyId: company.companyId,
    to: 2,
    onStep: (step) => {
      if (step === dying) throw new Error('killed')
    },
  })
  await expect(killed).rejects.toThrow('killed')
  await recoverMoves(context)
  expect(await listMoves(context.pool)).toHaveLength(1)
  const isHeld = dying === 'held' || dying === 'filled'
  context.clock.advance(isHeld ? holdMsMax + 1 : moverSilentMsMax + 1)
  // A delivery does not wait for a process that recovers.
  expect(await company.push('second')).toMatchObject({ status: 202, isReplay: false })
  await recoverMoves(context)
  expect(await listMoves(context.pool)).toEqual([])
  expect(await place()).toBe(1)
  expect(await countRows(2)).toBe(0)
  await move()
  expect(await place()).toBe(2)
  expect(await company.push('second')).toMatchObject({ status: 202, isReplay: true })
  await parseAll()
  expect(await readRevenue()).toEqual(['3', '1'])
  await checkRebuild()
})

test('a mover that dies after the switch has moved the company, and its old rows go a day later', async () => {
  await company.push('first')
  const killed = carryOutMove(context, {
    companyId: company.companyId,
    to: 2,
    onStep: (step) => {
      if (step === 'moved') throw new Error('killed')
    },
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await place()).toBe(2)
  await parseAll()
  expect(await readRevenue()).toEqual(['1'])
  await recoverMoves(context)
  expect(await countRows(1)).toBeGreaterThan(0)
  await deleteOldMoves(context, context.clock.now() - 1)
  expect(await countRows(1)).toBeGreaterThan(0)
  await deleteOldMoves(context, context.clock.now())
  expect(await countRows(1)).toBe(0)
  expect(await listMoves(context.pool)).toEqual([])
  expect(await company.push('first')).toMatchObject({ isReplay: true })
  await checkRebuild()
})

test('a company moves back, and what it left is deleted before', async () => {
  await company.push('first')
  await move()
  await company.push('second')
  await move({ to: 1 })
  expect(await place()).toBe(1)
  await company.push('third')
  await parseAll()
  expect(await readRevenue()).toEqual(['3'])
  await checkRebuild()
  const { rows } = await context.pool.query('select shard, companies from shards order by shard')
  expect(rows).toEqual([
    { shard: 1, companies: 1 },
    { shard: 2, companies: 1000 },
  ])
})

test.each(steps)('a move that is cancelled after the step "%s" leaves nothing', async (cancelling) => {
  await company.push('first')
  const cancelled = new AbortController()
  const moving = move({
    signal: cancelled.signal,
    onStep: (step) => {
      if (step === cancelling) cancelled.abort()
    },
  })
  await expect(moving).rejects.toMatchObject({ name: 'MoveError', reason: 'cancelled' })
  expect(await listMoves(context.pool)).toEqual([])
  expect(await place()).toBe(1)
  expect(await countRows(2)).toBe(0)
  expect(await company.push('second')).toMatchObject({ status: 202 })
})

test('a delivery that comes while the company is held waits, and is stored in the new shard', async () => {
  let waiting: Promise<SentAnswer> | undefined
  let hooking: Promise<SentAnswer> | undefined
  await move({
    onStep: async (step) => {
      if (step !== 'held') return
      waiting = company.push('held')
      hooking = company.sendWebhook('held')
      await sleep(200)
    },
  })
  expect(await waiting).toMatchObject({ status: 202, isReplay: false })
  expect(await hooking).toMatchObject({ status: 202, isReplay: false })
  const { rows } = await shards
    .get(2)
    .pool.query('select count(*)::int4 as rows from deliveries where company_id = $1', [company.companyId])
  expect(rows).toEqual([{ rows: 2 }])
})

test('a transaction that takes too long is not waited for while the company is held', async () => {
  const client = await shards.get(1).pool.connect()
  await client.query('begin')
  const seen: MoveStep[] = []
  await move({
    onStep: async (step) => {
      seen.push(step)
      if (step === 'parsed copied') await client.query('lock table sources in row share mode')
      if (step === 'released') await client.query('rollback')
    },
  })
  client.release()
  expect(seen.slice(-5)).toEqual(['held', 'released', 'held', 'filled', 'moved'])
})

test('what was stored before the shard moved to another node is copied', async () => {
  await company.push('first')
  await move({
    onStep: async (step) => {
      if (step !== 'parsed copied') return
      await company.push('late')
      // As if another node, with a sequence of its own, had numbered it.
      await shards
        .get(1)
        .pool.query('update receive_numbering set node_range = 7, number_offset = number_offset - 1000000')
    },
  })
  expect(await company.push('late')).toMatchObject({ isReplay: true })
})

test.runIf(isOnCitus())(
  'a transaction on the node that the shard has just moved to is waited for',
  async () => {
    const { rows } = await database.pool.query<{ port: number }>(
      `select nodeport as port from pg_dist_node
     where groupid <> 0 and groupid <> (select groupid from citus_shards join pg_dist_node using (nodename, nodeport)
       where table_name = 'shard_1.sources'::regclass)`,
    )
    const url = new URL(database.url)
    url.port = String(rows[0]!.port)
    const client = new Client(url.href)
    await client.connect()
    onTestFinished(() => client.end())
    const seen: MoveStep[] = []
    await move({
      onStep: async (step) => {
        seen.push(step)
        if (step === 'parsed copied') {
          await database.alter(`select citus_schema_move('shard_1', '127.0.0.1', ${url.port})`)
          await client.query('begin')
          await client.query('update shard_1.sources set name = name where company_id = $1', [
            company.companyId,
          ])
        }
        if (step === 'released') await client.query('commit')
      },
    })
    expect(seen).toContain('released')
  },
)

test('a move that cannot be made is refused, and changes nothing', async () => {
  const refused = async (options: Partial<MoveOptions>, reason: string): Promise<void> => {
    await expect(move(options)).rejects.toMatchObject({ name: 'MoveError', reason })
    expect(await place()).toBe(1)
  }
  await refused({ to: 1 }, 'same')
  await refused({ to: 99 }, 'no shard')
  await context.pool.query('insert into shards (shard, added_at) values (3, now())')
  await refused({ to: 3 }, 'unavailable')
  await context.pool.query('delete from shards where shard = 3')
  await move({
    onStep: async (step) => {
      if (step === 'copied') await refused({}, 'moving')
    },
  })
  expect(await place()).toBe(2)
})

test('a hold that another process has undone does not end in the new shard', async () => {
  await company.push('first')
  const slow = move({
    onStep: async (step) => {
      if (step !== 'filled') return
      context.clock.advance(holdMsMax + 1)
      await recoverMoves(context)
    },
  })
  await expect(slow).rejects.toMatchObject({ reason: 'undone' })
  expect(await place()).toBe(1)
  expect(await countRows(2)).toBe(0)
})

test('every table of a shard with something of a company is moved', async () => {
  const tables = await readMovedTables(database.pool, 1)
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(movedStages).toSorted())
  await database.alter('create table forgotten (company_id uuid)')
  onTestFinished(() => database.alter('drop table forgotten'))
  await expect(readMovedTables(database.pool, 1)).rejects.toThrow('forgotten')
})
