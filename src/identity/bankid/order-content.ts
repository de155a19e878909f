import type { Context } from '../../service/context.ts'
import { seal, unseal } from '../../keys/seal.ts'
import type { Order } from './answers.ts'
import type { Begun } from './begin-order.ts'
import type { CheckedCompletion } from './completion.ts'

/** What is kept of a pending order. */
export interface PendingContent extends Begun {
  order: Order
  /** Fingerprint of the certificate that it was begun with. */
  certificate: string
}

/** The place that an order's content is sealed for. */
export function bankIdOrderPlace(reference: string): string {
  return `bankid_order:${reference}`
}

export function sealContent(
  { keys }: Pick<Context, 'keys'>,
  reference: string,
  content: PendingContent | CheckedCompletion,
): Buffer {
  return seal(keys.master, JSON.stringify(content), bankIdOrderPlace(reference))
}

/** @throws where the key is another one */
export function openContent<Content extends PendingContent | CheckedCompletion>(
  { keys }: Pick<Context, 'keys'>,
  reference: string,
  sealed: Buffer,
): Content {
  return JSON.parse(unseal(keys.master, sealed, bankIdOrderPlace(reference)).toString()) as Content
}
