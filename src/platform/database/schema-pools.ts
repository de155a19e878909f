import type { Pool, PoolClient } from 'pg'
import { connectMsMax } from './deadlines.ts'
import { connectInTurn, setConnect } from './limit-connections.ts'
import { toSchemaUrl } from './placements.ts'
import { CuttableClient, cutConnection, endPool, setOrigin } from './pool.ts'
import { connectionsWaitingMax, getCaller } from './pool-shares.ts'
import { isSharedSchema } from './schemas.ts'
import { createConnectionLimiter, createShareLimiter, type ShareLimiter } from './share-limiter.ts'

/** The share of a node's connections that the statements of one shard may use, where there are several. */
const shardShare = 1 / 2

/** Statements of one shard that wait for a connection; a further one gets 503 immediately. */
const shardWaitingMax = 20_000

/**
 * Connections as each schema sees them: one pool for all shards of a node, so a process has as many with a hundred shards as
 * with one. A connection is set to a shard before its use where the last one was another's, which takes as long as an empty
 * statement. The shared schemas have a pool of their own, since nearly every call uses both.
 */
export interface SchemaPools {
  /** The same object for the same schema. */
  get(schema: string): Pool
  /** Ends all pools (`endPool`). */
  end(): Promise<void>
}

export interface SchemaPoolsOptions {
  /** Of the deployment. On Citus a schema is on a node of its own (`placements.ts`). */
  url: string
  /** Opens a pool to a node, by `createPool`. */
  open: (at: { url: string; schema: string }) => Pool
  /** No caller (`countAs`) has more than its share of a node's connections, and waiting callers take turns. */
  isShared?: boolean
}

interface NodePool {
  pool: Pool
  shards: ShareLimiter
  callers: ShareLimiter
}

function ignore(): void {}

/** The pool's next free connection, with the schema. */
async function connectTo(pool: Pool, schema: string): Promise<PoolClient> {
  const client = await pool.connect()
  // A client outside the pool has no other listener for a broken socket.
  client.on('error', ignore)
  try {
    if (client instanceof CuttableClient) await client.useSchema(schema)
    return client
  } catch (error) {
    // Which schema it has is unknown.
    cutConnection(client)
    client.release(true)
    throw error
  } finally {
    client.off('error', ignore)
  }
}

export function createSchemaPools({ url, open, isShared = false }: SchemaPoolsOptions): SchemaPools {
  const nodes = new Map<string, NodePool>()
  const views = new Map<string, Pool>()

  const hasSeveralShards = (): boolean =>
    [...views.keys()].filter((schema) => !isSharedSchema(schema)).length > 1
  const openNode = (at: { url: string; schema: string }): NodePool => {
    const pool = open(at)
    const { max } = pool.options
    // A shard that does not answer must leave connections to others.
    const shards = createShareLimiter({
      runningMax: max,
      callerRunningMax: Math.max(1, Math.floor(max * shardShare)),
      callerWaitingMax: shardWaitingMax,
      waitMsMax: connectMsMax,
    })
    const callers = createConnectionLimiter(pool, { callerWaitingMax: connectionsWaitingMax })
    return { pool, shards, callers }
  }
  const toNode = (schema: string): NodePool => {
    const nodeUrl = toSchemaUrl(url, schema)
    const key = `${isSharedSchema(schema) ? 'shared' : 'shards'} ${nodeUrl}`
    const node = nodes.get(key) ?? openNode({ url: nodeUrl, schema })
    nodes.set(key, node)
    return node
  }

  const openView = (schema: string): Pool => {
    const { pool: first } = toNode(schema)
    const view = Object.create(first) as Pool
    // Of the deployment, for those who open further connections: not of the node that the schema happens to be on.
    view.options = { ...first.options, connectionString: url }
    setOrigin(view, () => toNode(schema).pool)
    setConnect(view, () => {
      const { pool, shards, callers } = toNode(schema)
      const connect = (): Promise<PoolClient> =>
        hasSeveralShards() && !isSharedSchema(schema)
          ? connectInTurn(shards, schema, () => connectTo(pool, schema))
          : connectTo(pool, schema)
      const caller = isShared ? getCaller() : undefined
      return caller === undefined ? connect() : connectInTurn(callers, caller, connect)
    })
    return view
  }
  return {
    get: (schema) => {
      const view = views.get(schema) ?? openView(schema)
      views.set(schema, view)
      return view
    },
    end: async () => {
      await Promise.all(Array.from(nodes.values(), ({ pool }) => endPool(pool)))
    },
  }
}
