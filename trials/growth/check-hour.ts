import { readSamples } from '../../testing/process/numera-api.ts'
import type { TrialDatabase } from '../deployment/database.ts'
import { decimalText, toHundredths } from '../deployment/ledger.ts'
import type { TrialContext } from '../trial.ts'
import { toCredential, toShard, toSourceId } from './directory.ts'
import type { Sent } from './hour.ts'

const storedOnce = 'every delivery with a 202 is stored once, under the artifact of its receipt, and no other'
const sumsAgree = 'samples equal the independent sum of each source that sent'
const readsAgree = 'what a source reads is its sum'

export const hourInvariants = [storedOnce, sumsAgree, readsAgree] as const

/** Sources that read their samples as their company would. */
const readersMax = 100
const window = { from: '2026-01-01', to: '2026-02-01' }

interface Sum {
  amount: bigint
  rows: number
}

function sumBySource(sent: readonly Sent[]): Map<number, Sum> {
  const sums = new Map<number, Sum>()
  for (const { source, amount, rows } of sent) {
    const sum = sums.get(source) ?? { amount: 0n, rows: 0 }
    sums.set(source, { amount: sum.amount + amount, rows: sum.rows + rows })
  }
  return sums
}

async function checkStored(
  context: TrialContext,
  database: TrialDatabase,
  sent: readonly Sent[],
  shard: number,
) {
  const stored = await database.query<{ source_id: string; idempotency_key: string; artifact_id: string }>(
    `select source_id, idempotency_key, artifact_id from shard_${shard}.deliveries`,
  )
  const artifacts = new Map(stored.map((row) => [`${row.source_id} ${row.idempotency_key}`, row.artifact_id]))
  const wanted = new Set<string>()
  for (const { source, key, artifacts: answered } of sent) {
    const id = `${toSourceId(source)} ${key}`
    wanted.add(id)
    const isStored = answered.every((artifact) => artifact === artifacts.get(id)) && artifacts.has(id)
    context.check(
      storedOnce,
      isStored,
      `${key} was acknowledged as ${answered.join()}, not ${artifacts.get(id)}`,
    )
  }
  const others = stored.length - wanted.size
  context.check(storedOnce, others === 0, `${others} others are stored in shard ${shard}`)
}

async function checkSums(
  context: TrialContext,
  database: TrialDatabase,
  sent: readonly Sent[],
  shard: number,
) {
  const rows = await database.query<{ source_id: string; amount: string; rows: string }>(
    `select source_id, sum(value) filter (where metric = 'revenue') as amount,
       sum(value) filter (where metric = 'active_users') as rows
     from shard_${shard}.samples
     group by source_id`,
  )
  const read = new Map(rows.map((row) => [row.source_id, row]))
  const sums = sumBySource(sent)
  for (const [source, sum] of sums) {
    const row = read.get(toSourceId(source))
    const isEqual =
      row !== undefined && toHundredths(row.amount) === sum.amount && Number(row.rows) === sum.rows
    const wanted = `${decimalText(sum.amount)} of ${sum.rows} rows`
    context.check(sumsAgree, isEqual, `source ${source}: ${row?.amount} of ${row?.rows} rows, not ${wanted}`)
  }
  context.check(sumsAgree, read.size === sums.size, `shard ${shard}: ${read.size} sources, not ${sums.size}`)
}

/** Checks what is stored of the deliveries of an hour, all of which were acknowledged, and what they add up to. */
export async function checkHour(
  context: TrialContext,
  options: { url: string; database: TrialDatabase; shards: number; sent: readonly Sent[] },
): Promise<void> {
  const { url, database, shards, sent } = options
  const byShard = Map.groupBy(sent, ({ source }) => toShard(source, shards))
  for (let shard = 1; shard <= shards; shard++) {
    await checkStored(context, database, byShard.get(shard) ?? [], shard)
    await checkSums(context, database, byShard.get(shard) ?? [], shard)
  }
  for (const [source, { amount }] of [...sumBySource(sent)].slice(0, readersMax)) {
    const { samples } = await readSamples(url, toCredential(source), window)
    const read = samples
      .filter(({ metric }) => metric === 'revenue')
      .reduce((sum, { value }) => sum + toHundredths(value), 0n)
    context.check(
      readsAgree,
      read === amount,
      `source ${source}: ${decimalText(read)}, not ${decimalText(amount)}`,
    )
  }
}
