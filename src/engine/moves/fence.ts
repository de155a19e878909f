import { setTimeout as sleep } from 'node:timers/promises'
import { isDistributed } from '../../platform/database/placements.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { MoveError } from './move-error.ts'
import type { MoveRun } from './move-run.ts'
import { runOnAllNodes, selectWriters } from './queries.ts'

const pollMs = 10

interface NodeState {
  /** The number of the node, 0 without Citus. */
  node: number
  /** Of the move, with the number of its attempt; null if it is over. */
  phase: string | null
  writers: string[]
}

/**
 * The shard may move to another node meanwhile, and some of its connections are to the old one for a while. So all
 * nodes are asked.
 */
async function readNodes({ from, move }: MoveRun, tables: readonly string[]): Promise<NodeState[]> {
  const { pool, shard } = from
  const command = selectWriters(move.companyId, toShardSchema(shard), tables)
  const rows = isDistributed(pool.options.connectionString!)
    ? await runOnAllNodes.rows(pool, { command })
    : (await pool.query<{ result: string }>(command)).rows.map(({ result }) => ({
        node: 0,
        success: true,
        result,
      }))
  return rows.map(({ node, success, result }) => {
    if (!success) throw new Error(`node ${node}: ${result}`)
    return { node, ...(JSON.parse(result) as Omit<NodeState, 'node'>) }
  })
}

/** Node and transaction. */
function toWriters(nodes: readonly NodeState[]): string[] {
  return nodes.flatMap(({ node, writers }) => writers.map((writer) => `${node} ${writer}`))
}

/**
 * Waits until every node sees the last step of a move, and then until every transaction has ended that may write to some
 * tables of the company's shard by what it saw before.
 *
 * A statement locks its tables before it takes the snapshot in which it looks where a company is, and its transaction keeps
 * the locks. So these locks show every transaction that may have seen where a company was before the last commit, of any process
 * and prepared ones too; and one that locks a table later sees the commit. `create index concurrently` waits in
 * the same way. Nothing waits for this. On Citus a commit that a node missed is made up for by the coordinator later.
 *
 * @returns false if that took more than `msMax`
 * @throws MoveError if another process has undone the move, and an Error if a node does not answer
 */
export async function awaitWriters(run: MoveRun, tables: readonly string[], msMax: number): Promise<boolean> {
  const untilMs = performance.now() + msMax
  const step = `${run.move.phase}${run.move.attempt}`
  for (let writers: readonly string[] | undefined; ;) {
    const nodes = await readNodes(run, tables)
    if (nodes.some(({ phase }) => phase === null || phase.startsWith('undone'))) throw new MoveError('undone')
    const found = toWriters(nodes)
    if (writers !== undefined) writers = writers.filter((writer) => found.includes(writer))
    else if (nodes.every(({ phase }) => phase === step)) writers = found
    if (writers?.length === 0) return true
    if (performance.now() > untilMs) return false
    await sleep(pollMs)
  }
}
