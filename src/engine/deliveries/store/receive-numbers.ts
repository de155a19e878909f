import type { Pool } from 'pg'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { fromLatestDeliveries } from './latest-deliveries.ts'

/**
 * Receive numbers rise within a company, wherever its shard is: a delivery that is sent after another one was answered has the
 * greater number. A number is the shard's offset, plus what a call drew from a sequence, plus the delivery's place in
 * the call.
 *
 * On Citus each node draws from a range of its own. Only calls of the range that the shard's row names store anything, so
 * where a shard has moved to another node, a call there first makes the row name its range, with an offset above all numbers
 * given so far (`raiseReceiveNumbers`). The same raises the numbers of the shard that a company moves to. No clock is involved.
 */

/** What a call drew: all its places are free behind it (`increment` in the migration). */
export interface DrawnNumber {
  /** Which node's sequence it is from: 0 without Citus. */
  range: number
  number: bigint
}

/** Citus numbers the ranges of its nodes by the upper 16 bits. */
const rangeBits = 48n

/**
 * How far numbers are raised beyond those that are stored: more than all calls together may be storing at that moment with
 * numbers drawn before.
 */
const raisedBeyond = 1n << 32n

const draw = defineStatement<{ number: string }, Record<string, never>>(
  'deliveries.draw-number',
  `select nextval('receive_numbers') as number`,
)

/** Draws for one call, whose deliveries are all there by then. */
export async function drawNumber(on: Queryable): Promise<DrawnNumber> {
  const number = BigInt((await draw.first(on, {}))!.number)
  return { range: Number(number >> rangeBits), number }
}

const selectNumbering = defineStatement<{ range: number }, Record<string, never>>(
  'deliveries.select-numbering',
  `select node_range as range from receive_numbering limit 1`,
)

/** Whether the shard has moved to another node since numbers were given, so that calls store nothing. */
export async function hasMoved(pool: Pool): Promise<boolean> {
  const [{ range }, numbering] = await Promise.all([drawNumber(pool), selectNumbering.first(pool, {})])
  return numbering!.range !== range
}

const lockNumbering = defineStatement<{ range: number; offset: string }, Record<string, never>>(
  'deliveries.lock-numbering',
  `select node_range as range, number_offset as offset from receive_numbering for update`,
)

const selectLastNumber = defineStatement<{ last: string }, Record<string, never>>(
  'deliveries.select-last-number',
  `select coalesce(max(latest.receive_number), 0) as last ${fromLatestDeliveries('receive_number')}`,
)

const setNumbering = defineStatement<never, { range: number; offset: bigint }>(
  'deliveries.set-numbering',
  `
  update receive_numbering set node_range = $range::int4, number_offset = $offset::int8,
    settled_to = case when node_range = $range::int4 then settled_to else 0 end`,
)

/** Makes the numbers that a transaction's node gives greater than all that the shard has, and than `above`. */
async function raise(client: Queryable, above: bigint): Promise<{ drawn: DrawnNumber; offset: bigint }> {
  const numbering = (await lockNumbering.first(client, {}))!
  const drawn = await drawNumber(client)
  const isSameRange = drawn.range === numbering.range
  const last = isSameRange ? 0n : BigInt((await selectLastNumber.first(client, {}))!.last) + raisedBeyond
  const offset = (last > above ? last : above) - drawn.number
  if (isSameRange && offset <= BigInt(numbering.offset)) return { drawn, offset: BigInt(numbering.offset) }
  await setNumbering.run(client, { range: drawn.range, offset })
  return { drawn, offset }
}

/**
 * Makes the further receive numbers of a shard greater than all that it has, and than `above`. Changes nothing where they
 * are. Any number of processes may call it concurrently.
 */
export async function raiseReceiveNumbers(pool: Pool, above = 0n): Promise<void> {
  await inTransaction(pool, (client) => raise(client, above))
}

const setSettled = defineStatement<never, { settledTo: bigint }>(
  'deliveries.set-settled',
  `update receive_numbering set settled_to = $settledTo::int8`,
)

/**
 * The calls of a shard that have drawn a number and not yet looked at the shard's row draw another one. So once the
 * transactions have ended that are under way now, no delivery is stored any more with the number returned or a lesser one,
 * also where the shard has just moved to another node.
 */
export async function settleReceiveNumbers(pool: Pool): Promise<bigint> {
  return inTransaction(pool, async (client) => {
    const { drawn, offset } = await raise(client, 0n)
    await setSettled.run(client, { settledTo: drawn.number })
    return offset + drawn.number
  })
}
