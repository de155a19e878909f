import { startCitus } from '../../testing/process/start-citus.ts'
import type { Postgres } from '../../testing/process/start-postgres.ts'
import { isHonest503, quantile } from '../deployment/calls.ts'
import { openRates, startProcess } from '../deployment/deployment.ts'
import {
  checkCompanies,
  companyInvariants,
  compareNeighbour,
  moveCompanies,
  type Moving,
  neighbour,
  openCompanies,
  startLoad,
} from '../moves/companies.ts'
import { Skipped, type Trial, type TrialContext } from '../trial.ts'

const onOneNode = 'a shard whose move was killed is whole on one node'
const takenOver = 'companies of a lost node are accepted again within 15 s of its loss'

const shards = [1, 2, 3]
const counts = { long: { companyMoves: 30, schemaMoves: 10 }, short: { companyMoves: 4, schemaMoves: 3 } }
const takenOverMsMax = 15_000
const steadyMs = { long: 30_000, short: 3_000 }

interface Nodes {
  coordinator: Postgres
  workers: readonly Postgres[]
}

/** The port of the worker that has a schema. */
const findNode = async ({ coordinator }: Nodes, schema: string): Promise<number> => {
  const [row] = await coordinator.query<{ port: number }>(
    `select citus_shards.nodeport as port from citus_shards
     join pg_class on pg_class.oid = citus_shards.table_name
     where pg_class.relnamespace = $1::regnamespace limit 1`,
    [schema],
  )
  return row!.port
}

const moveSchema = ({ coordinator }: Nodes, schema: string, port: number): Promise<unknown> =>
  coordinator.query(`select citus_schema_move('${schema}', '127.0.0.1', ${port})`)

const endMoves = ({ coordinator }: Nodes): Promise<{ pid: number }[]> =>
  coordinator.query<{ pid: number }>(
    `select pg_terminate_backend(pid), pid from pg_stat_activity
     where query like 'select citus_schema_move%' and pid <> pg_backend_pid()`,
  )

/** Moves shards to and fro between the workers; every other move is killed at a random moment. */
const moveSchemas = async (context: TrialContext, nodes: Nodes, moves: number): Promise<void> => {
  const random = context.random('schemas')
  const [one, other] = nodes.workers as [Postgres, Postgres]
  for (let move = 0; move < moves; move++) {
    const schema = `shard_${shards[move % shards.length]}`
    const from = await findNode(nodes, schema)
    const to = from === one.port ? other.port : one.port
    const moving = moveSchema(nodes, schema, to).then(
      () => 'done',
      (error: Error) => error.message,
    )
    if (move % 2 === 1) {
      await Promise.race([moving, context.sleep(200 + random() * 2_000)])
      if ((await endMoves(nodes)).length > 0) context.inject('ended: citus_schema_move')
    }
    const outcome = await moving
    const at = await findNode(nodes, schema)
    context.check(onOneNode, at === from || at === to, `${schema} is on ${at}`)
    context.inject('citus_schema_move')
    context.log(`${schema} from ${from} to ${to}: ${outcome}`)
    await context.sleep(500)
  }
}

/**
 * Kills the second worker, has its standby take over, and later starts what was killed again, with what it knew then.
 *
 * @returns how long companies of its shards were not accepted, in milliseconds
 */
const loseNode = async (
  context: TrialContext,
  nodes: Nodes,
  standby: Postgres,
  isServed: (sinceMs: number) => boolean,
): Promise<number> => {
  const lost = nodes.workers[1]!
  const [node] = await nodes.coordinator.query<{ nodeid: number }>(
    'select nodeid from pg_dist_node where nodeport = $1',
    [lost.port],
  )
  const lostMs = performance.now()
  await lost.signal('SIGKILL')
  context.inject('SIGKILL: worker')
  await standby.query('select pg_promote()')
  await nodes.coordinator.query(`select citus_update_node($1, '127.0.0.1', $2)`, [node!.nodeid, standby.port])
  const promotedMs = performance.now()
  while (!isServed(promotedMs) && performance.now() < lostMs + 2 * takenOverMsMax) await context.sleep(20)
  const tookMs = performance.now() - lostMs
  context.check(takenOver, tookMs <= takenOverMsMax, `after ${tookMs} ms`)
  await lost.start()
  context.inject('a node that comes back old')
  return tookMs
}

export const lostNodes: Trial = {
  name: 'nodes',
  about:
    'On three nodes of Citus, companies move between shards and shards between nodes while they send; moves are killed, ' +
    'and a node is lost and replaced by its standby.',
  minutes: 15,
  invariants: [...companyInvariants, onOneNode, takenOver],
  // In tests other programs have the processor most of the time.
  longInvariants: [neighbour],
  run: async (context) => {
    const kind = context.short ? 'short' : 'long'
    const citus = await startCitus()
    if (citus === undefined) throw new Skipped('no PostgreSQL with Citus is installed here')
    context.use(citus)
    const lost = citus.workers[1]!
    const standby = context.use(await lost.startStandby())
    // Otherwise its last commits are lost with it.
    await lost.query(`alter system set synchronous_standby_names = 'standby'`)
    await lost.query('select pg_reload_conf()')
    const database = citus.coordinator
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    // What all companies need stays.
    if ((await findNode(citus, 'access')) === lost.port)
      await moveSchema(citus, 'access', citus.workers[0]!.port)
    const companies = await openCompanies(context, service)
    const { moving, quiet } = companies
    await service.command('shards add', { count: String(shards.length - 1) })

    /** While a node is lost: companies whose shard was on it. */
    const away = new Set<Moving>()
    const load = startLoad(
      context,
      companies,
      (company, outcome) => away.has(company) && isHonest503(outcome),
    )
    await context.sleep(steadyMs[kind])
    const before = quantile(quiet.latencies.splice(0), 0.99)

    await Promise.all([
      moveCompanies(context, { service, database }, moving, counts[kind].companyMoves),
      moveSchemas(context, citus, counts[kind].schemaMoves),
    ])
    const during = quantile(quiet.latencies.splice(0), 0.99)

    // One shard is on the node that is lost, the others are not.
    const lostShard = moving[0]!.shard
    for (const shard of shards) {
      const port = shard === lostShard ? lost.port : citus.workers[0]!.port
      if ((await findNode(citus, `shard_${shard}`)) !== port) await moveSchema(citus, `shard_${shard}`, port)
    }
    for (const company of [...moving, quiet]) if (company.shard === lostShard) away.add(company)
    const tookMs = await loseNode(context, citus, standby, (sinceMs) =>
      [...away].every((company) => company.acceptedMs > sinceMs),
    )
    away.clear()
    await context.sleep(steadyMs[kind])
    for (const each of load) await each.stop()

    context.measure('until companies of the lost node were accepted again, ms', Math.round(tookMs))
    compareNeighbour(context, before, during)
    await checkCompanies(context, { service, database }, shards, companies)
  },
}
