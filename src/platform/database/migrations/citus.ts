import type { Client } from 'pg'

/**
 * What creating the schemas takes on Citus, the extension that spreads them over nodes. All of it is without effect on a
 * database that does not have it.
 */

/** The directory's tables are copied to every node; each other schema is whole on one. */
export async function createSchema(client: Client, schema: string): Promise<void> {
  const sharding = schema === 'directory' ? 'off' : 'on'
  // Of an extension that is not there, any setting is accepted.
  await client.query(`set citus.enable_schema_based_sharding = ${sharding}`)
  await client.query(`create schema if not exists ${schema}`)
}

/** Runs the commands of a migration. On Citus all tables are logged: a schema with another one could not be moved. */
export async function runCommands(client: Client, commands: readonly string[]): Promise<void> {
  const isOnCitus = await hasCitus(client)
  for (const command of commands)
    await client.query(isOnCitus ? command.replace('create unlogged table', 'create table') : command)
}

/** Whether the database is a node of Citus. */
async function hasCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as present`,
  )
  return rows[0]!.present
}

/** Copies the tables of the directory that are not copied yet to every node. */
export async function copyDirectory(client: Client): Promise<void> {
  if (!(await hasCitus(client))) return
  // In the order of their creation: a table may refer to earlier ones only.
  const { rows } = await client.query<{ name: string }>(
    `select pg_class.oid::regclass::text as name
     from pg_class
     where pg_class.relnamespace = 'directory'::regnamespace and pg_class.relkind = 'r'
       and not exists (select from pg_dist_partition where pg_dist_partition.logicalrelid = pg_class.oid)
     order by pg_class.oid`,
  )
  for (const { name } of rows) await client.query('select create_reference_table($1::regclass)', [name])
}
