import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/**
 * The databases of tests: on one server or, where `NUMERA_TEST_CITUS_URL` is the URL of a coordinator of Citus, on all of its nodes
 * under the same name. Its user must be a superuser, and its database must know the nodes.
 */

const coordinator = process.env['NUMERA_TEST_CITUS_URL']

const dropTriesMax = 5

/** The server that the environment names for tests, if any. */
export function getGivenServer(): string | undefined {
  return coordinator || process.env['DATABASE_URL'] || undefined
}

/** Whether the tests run on several nodes. */
export function isOnCitus(): boolean {
  return Boolean(coordinator)
}

/** The same URL, for another database of the server. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)
}

/** Runs statements one after the other on a connection of their own. Returns the rows of the last. */
export async function runAlone<Row>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows as Row[]
  } finally {
    await client.end()
  }
}

interface Node {
  host: string
  port: number
  url: string
}

let nodes: Promise<Node[]> | undefined

/** The nodes of Citus, the coordinator first. */
function listNodes(): Promise<Node[]> {
  nodes ??= runAlone<Omit<Node, 'url'>>(
    coordinator!,
    'select nodename as host, nodeport as port from pg_dist_node order by groupid',
  ).then((rows) =>
    rows.map(({ host, port }) => {
      const url = new URL(coordinator!)
      url.hostname = host
      url.port = String(port)
      return { host, port, url: url.href }
    }),
  )
  return nodes
}

async function runOnNodes(server: string, ...statements: string[]): Promise<void> {
  const urls = server === coordinator ? (await listNodes()).map(({ url }) => url) : [server]
  await Promise.all(urls.map((url) => runAlone(url, ...statements)))
}

/** Makes an empty database one of all nodes. */
async function joinNodes(name: string): Promise<void> {
  const [first, ...others] = await listNodes()
  await Promise.all(
    [first!, ...others].map(({ url }) => runAlone(withDatabase(url, name), 'create extension citus')),
  )
  await runAlone(
    withDatabase(first!.url, name),
    `select citus_set_coordinator_host('${first!.host}', ${first!.port})`,
    ...others.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  )
}

/** Creates a database: an empty one, or a clone of a template without connections. */
export async function createDatabaseOn(
  server: string,
  name: string,
  { owner, template }: { owner?: string; template?: string } = {},
): Promise<void> {
  const owned = owner === undefined ? '' : ` owner "${owner}"`
  const source = template ?? `template0 encoding 'UTF8' locale 'C'`
  await runOnNodes(server, `create database ${name}${owned} template ${source}`)
  if (template === undefined && server === coordinator) await joinNodes(name)
}

/** Ends the connections to a database that is to be cloned: on Citus, each node has some of its own to it. */
export async function closeTemplate(server: string, name: string): Promise<void> {
  if (server !== coordinator) return
  await runOnNodes(
    server,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  )
}

/** Drops a database and ends its connections. A node of Citus may just be opening further ones. */
export async function dropDatabaseFrom(server: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnNodes(server, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (server !== coordinator || tries === dropTriesMax) throw error
      await sleep(1_000)
    }
  }
}
