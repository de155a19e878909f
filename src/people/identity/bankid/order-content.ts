import type { DirectoryContext } from '../../../context.ts'
import { sealedBankIdOrders } from '../sealed-tables.ts'
import type { Order } from './answers.ts'
import type { Begun } from './begin-order.ts'
import type { CheckedCompletion } from './completion.ts'

/** What is stored of a pending order. */
export interface PendingContent extends Begun {
  order: Order
  /** Fingerprint of the certificate with which it was begun. */
  certificate: string
}

export function sealContent(
  context: Pick<DirectoryContext, 'keys'>,
  reference: string,
  content: PendingContent | CheckedCompletion,
): Buffer {
  return sealedBankIdOrders.seal(context, { reference }, JSON.stringify(content))
}

/** @throws under another master key */
export function openContent<Content extends PendingContent | CheckedCompletion>(
  context: Pick<DirectoryContext, 'keys'>,
  reference: string,
  sealed: Buffer,
): Content {
  return JSON.parse(sealedBankIdOrders.unseal(context, { reference }, sealed)) as Content
}
