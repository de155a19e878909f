/**
 * The schemas of a deployment, and where the statements of a connection find their tables (docs/decisions/shards.md):
 *
 * - `directory`: people, companies, connections, apps. Small and rarely written: on many machines every node has a copy.
 * - `access`: what grows with sign-ins and calls: orders, sessions, tokens, rates, audit events. It is whole on one node.
 * - `shard_1`, `shard_2`, …: everything of their companies that grows with deliveries, each whole on one node.
 *
 * A statement may join the directory with `access`, or with a shard.
 */
export const sharedSchemas = ['directory', 'access'] as const

export function isSharedSchema(schema: string): boolean {
  return sharedSchemas.some((shared) => shared === schema)
}

/** The shard of a deployment that has only one. */
export const firstShard = 1

export function toShardSchema(shard: number): string {
  return `shard_${shard}`
}

/** `access` is on the path of a shard, since a transaction may write both. */
export function toSearchPath(schema: string): string {
  const shared = schema === 'directory' ? [] : ['access', 'directory'].filter((name) => name !== schema)
  return [schema, ...shared].join(',')
}

/**
 * A condition for an insert that selects from no table, only from what was passed. It is always true, and evaluated once. An insert
 * that selects from a table of any schema is passed to its node by Citus whole, with its parameters; the rows of any other
 * one it collects itself and copies, and it fails where `on conflict` has a parameter.
 */
export const selectsFromTable = 'exists (select from shards)'

/**
 * The source of rows of a statement that takes an advisory lock for all processes. On Citus such a lock is kept by one node: this
 * table, of one row, makes it that of the schema `access`, wherever a process is connected. A lock of the rows of a reference
 * table would be one of the whole table.
 */
export const fromAccess = 'from registration_hour limit 1'
