/**
 * The schemas of a deployment. The directory has people, credentials, apps and companies; a shard has everything of its
 * companies that grows with deliveries. A statement of a shard also sees the directory, so it may join the two.
 */
export const directorySchema = 'directory'

/** The shard of a deployment that has only one. */
export const firstShard = 1

export function toShardSchema(shard: number): string {
  return `shard_${shard}`
}

/** Where the statements of a connection find their tables; without a shard, only in the directory. */
export function toSearchPath(shard?: number): string {
  return shard === undefined ? directorySchema : `${toShardSchema(shard)},${directorySchema}`
}
