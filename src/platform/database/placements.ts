import { Client } from 'pg'
import { connectMsMax, keepAliveDelayMs } from './deadlines.ts'

/**
 * Where the schemas of a deployment on Citus are: each on one node, to which the connections of its pools go directly. A
 * statement that is sent to another node is passed on by Citus, at a price. Nothing here has an effect on a plain PostgreSQL.
 */

/** How often the nodes are looked up, in milliseconds: a schema moves without anything else telling so. */
const lookUpEveryMs = 1_000

const lookUp = `
  select distinct pg_namespace.nspname as schema, pg_dist_node.nodename as host, pg_dist_node.nodeport as port
  from pg_dist_schema
  join pg_namespace on pg_namespace.oid = pg_dist_schema.schemaid
  join pg_dist_partition on pg_dist_partition.colocationid = pg_dist_schema.colocationid
  join pg_dist_shard on pg_dist_shard.logicalrelid = pg_dist_partition.logicalrelid
  join pg_dist_placement on pg_dist_placement.shardid = pg_dist_shard.shardid
  join pg_dist_node on pg_dist_node.groupid = pg_dist_placement.groupid
  where pg_dist_node.noderole = 'primary' and pg_dist_node.isactive and pg_dist_node.groupid <> 0`

interface Node {
  schema: string
  host: string
  port: number
}

/** The nodes of a deployment, by schema, and what to do when one changes. */
interface Deployment {
  urls: Map<string, string>
  onChange: Set<() => void>
}

/** The deployments that this thread watches, by their URLs. */
const watched = new Map<string, Deployment>()

function toNodeUrl(url: string, { host, port }: Node): string {
  const node = new URL(url)
  node.hostname = host
  node.port = String(port)
  return node.href
}

/** The URL for a new connection whose statements are about a schema: of its node where that is known, else the given one. */
export function toSchemaUrl(url: string, schema: string): string {
  return watched.get(url)?.urls.get(schema) ?? url
}

/** Whether a deployment is spread over nodes. */
export function isDistributed(url: string): boolean {
  return watched.has(url)
}

/** Calls back when schemas have moved, until the returned function is called. */
export function onPlacementChange(url: string, callback: () => void): () => void {
  const callbacks = watched.get(url)?.onChange
  callbacks?.add(callback)
  return () => callbacks?.delete(callback)
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'numera placements',
    connectionTimeoutMillis: connectMsMax,
    query_timeout: connectMsMax,
    statement_timeout: connectMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  })
  // The query under way reports a broken connection.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function hasCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_schema') is not null as present`,
  )
  return rows[0]!.present
}

/**
 * Looks up the nodes now, and then every second on a connection of its own, until it is disposed of: pools of the same URL that this
 * thread opens meanwhile follow their schemas. Only the node of the URL, Citus's coordinator, is queried: another one may
 * have an old map. While it does not answer, what was known stays.
 *
 * @throws if the database cannot be reached at the start
 */
export async function watchPlacements(url: string): Promise<AsyncDisposable> {
  let client: Client | undefined = await connect(url)
  if (!(await hasCitus(client))) {
    await client.end()
    return { [Symbol.asyncDispose]: async () => {} }
  }
  const deployment: Deployment = watched.get(url) ?? { urls: new Map(), onChange: new Set() }
  watched.set(url, deployment)
  const update = async (): Promise<void> => {
    client ??= await connect(url)
    const { rows } = await client.query<Node>(lookUp)
    const before = deployment.urls
    deployment.urls = new Map(rows.map((node) => [node.schema, toNodeUrl(url, node)]))
    const isSame = ([schema, node]: [string, string]): boolean => before.get(schema) === node
    if (before.size === rows.length && [...deployment.urls].every(isSame)) return
    for (const callback of deployment.onChange) callback()
  }
  await update()
  let updating = Promise.resolve()
  const timer = setInterval(() => {
    updating = updating.then(update).catch(async () => {
      const broken = client
      client = undefined
      await broken?.end().catch(() => {})
    })
  }, lookUpEveryMs).unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await updating
      await client?.end().catch(() => {})
    },
  }
}
