import type { Pool } from 'pg'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { DeliveryError } from '../intake/delivery-error.ts'
import type { Accepted } from './accept.ts'
import type { DeliveryIdentity, DeliveryTarget, FoundDelivery } from './delivery.ts'
import { findPushes } from './push-queries.ts'
import { writeReceipt } from './receipt.ts'
import { addAlias, findWebhooks } from './webhook-queries.ts'

/**
 * Answers a delivery whose body was refused with `error`: with the first receipt if these very bytes were stored under
 * the same key, or came as a webhook under any id. Neither a changed declaration nor a pause revokes a receipt
 * [push.replay]. Throws 400 for every other `DeliveryError`, even if the key is another body's ([push.order]: syntax
 * before stored key), and any other error as it is. Valid bodies never come here, so only refused ones pay for the
 * look-up.
 */
export async function answerRefused(pool: Pool, error: unknown, target: DeliveryTarget): Promise<Accepted> {
  if (!(error instanceof DeliveryError)) throw error
  const { sent } = error
  if (sent !== undefined) {
    const found = await find(pool, { ...sent, target })
    if (found.found === 'stored' && Buffer.compare(found.stored.receivedSha256, sent.receivedSha256) === 0) {
      return { receipt: writeReceipt({ ...found.stored, sandbox: target.sandbox }), replayed: true }
    }
  }
  throw invalidArgument(error.message, error.field)
}

async function find(pool: Pool, sent: DeliveryIdentity): Promise<FoundDelivery> {
  if (sent.target.channel === 'push') return (await findPushes(pool, [sent]))[0]!
  await addAlias(pool, sent)
  return (await findWebhooks(pool, [sent]))[0]!
}
