import { createHash } from 'node:crypto'
import type { Context } from '../../service/context.ts'
import { databaseTimeMs } from '../../clock/database-time.ts'
import { readCancelled, readCollected, readOrder } from './answers.ts'
import type { BankIdClient } from './client.ts'
import { checkCompletion, readCompletion, type Completion } from './completion.ts'
import { hintCodes, errorCodes, isPassing, reasonOf, wordOf, type Fault } from './faults.ts'
import { NotVerified } from './evidence/not-verified.ts'
import { openContent, sealContent, type CompleteContent, type PendingContent } from './order-content.ts'
import { claimBankIdOrder, renewBankIdOrder, settleBankIdOrder, updateBankIdHint } from './queries.ts'

/** How often BankID is asked about an order, whatever pages ask and however many processes there are. Milliseconds. */
export const collectEveryMs = 2_000
/** Until when another process waits for one that asks and was killed meanwhile. Longer than two calls. Milliseconds. */
export const collectLeaseMs = 25_000
/** For how long after the first start a new order takes the place of one that nobody started. Milliseconds. */
export const restartMsMax = 3 * 60_000
/** How old an order may be at BankID while its answers fail to come; then it has failed. Milliseconds. */
export const unansweredMsMax = 5 * 60_000
/** How long the result of an order is kept for the page. Milliseconds. */
export const resultKeptMs = 5 * 60_000

export interface BankIdContext extends Pick<Context, 'pool' | 'keys' | 'log' | 'telemetry'> {
  client: BankIdClient
}

/** The turn to ask about an order. */
interface Turn {
  reference: string
  collects: number
  content: PendingContent
  seconds: number
  ageMs: number
}

const uniqueViolation = '23505'

const countedOutcomes: ReadonlySet<string> = new Set([
  'complete',
  'unavailable',
  'not_verified',
  'refused',
  ...hintCodes.failed,
  ...errorCodes,
])
const risks: ReadonlySet<string> = new Set(['low', 'moderate', 'high'])

/** Counts how an order ended: by words that are known, since BankID may say others. */
export function countOrder({ telemetry }: Pick<Context, 'telemetry'>, outcome: string): void {
  telemetry.bankIdOrders.inc({ outcome: countedOutcomes.has(outcome) ? outcome : 'other' })
}

function countRisk({ telemetry }: Pick<Context, 'telemetry'>, { risk = 'none' }: Completion): void {
  telemetry.bankIdRisk.inc({ risk: risks.has(risk) ? risk : 'none' })
}

async function settleFailed(context: BankIdContext, turn: Turn, reason: string): Promise<void> {
  const { reference, collects } = turn
  const settled = await settleBankIdOrder.first(context.pool, {
    reference,
    collects,
    state: 'failed',
    word: reason,
    contentSealed: null,
    signatureSha256: null,
    keptMs: resultKeptMs,
  })
  if (settled !== undefined) countOrder(context, reason)
}

async function goOn(context: BankIdContext, turn: Turn, hint: string | null): Promise<void> {
  const { reference, collects } = turn
  await updateBankIdHint.run(context.pool, { reference, collects, hint, collectInMs: collectEveryMs })
}

/** BankID did not say how far the order is. */
async function takeFault(context: BankIdContext, turn: Turn, fault: Fault): Promise<void> {
  if (isPassing(fault) && turn.seconds * 1_000 < unansweredMsMax) return goOn(context, turn, null)
  return settleFailed(context, turn, reasonOf(fault))
}

/** Nobody started the app in time: the same is asked anew, while the page goes on as if nothing had happened. */
async function renew(context: BankIdContext, turn: Turn): Promise<void> {
  const { reference, collects, content } = turn
  const result = await context.client.call(content.operation, content.request, readOrder)
  if ('fault' in result) return settleFailed(context, turn, reasonOf(result.fault))
  const { answer: order, certificate } = result
  const renewed = await renewBankIdOrder.first(context.pool, {
    reference,
    collects,
    hint: 'outstandingTransaction',
    contentSealed: sealContent(context, reference, { ...content, order, certificate }),
    collectInMs: collectEveryMs,
  })
  // It was cancelled meanwhile.
  if (renewed === undefined) {
    await context.client.call('cancel', { orderRef: order.orderRef }, readCancelled, certificate)
  }
}

/** @throws NotVerified where its signature has completed another order before */
async function settleComplete(
  context: BankIdContext,
  { reference, collects }: Turn,
  completion: Completion,
  checked: CompleteContent,
): Promise<void> {
  const settled = await settleBankIdOrder
    .first(context.pool, {
      reference,
      collects,
      state: 'complete',
      word: 'complete',
      contentSealed: sealContent(context, reference, checked),
      signatureSha256: createHash('sha256').update(completion.signature).digest(),
      keptMs: resultKeptMs,
    })
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code === uniqueViolation) throw new NotVerified('of_other_order')
      throw error
    })
  if (settled !== undefined) countOrder(context, 'complete')
}

async function complete(context: BankIdContext, turn: Turn, completionData: unknown): Promise<void> {
  const { content } = turn
  try {
    const completion = readCompletion(completionData)
    const checked = await checkCompletion(completion, content, {
      orderRef: content.order.orderRef,
      roots: context.client.roots,
      at: new Date(await databaseTimeMs(context.pool)),
    })
    countRisk(context, completion)
    // BankID's own advice: a transaction of high risk is not gone through with.
    if (completion.risk === 'high') return await settleFailed(context, turn, 'transactionRiskBlocked')
    await settleComplete(context, turn, completion, checked)
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    context.log.error({ why: error.reason }, 'a completed order of BankID does not hold')
    await settleFailed(context, turn, 'not_verified')
  }
}

/**
 * Asks BankID how far an order is and writes it down, where it is time to ask and no other page or process is asking.
 *
 * @throws where the database is unavailable
 */
export async function askBankId(context: BankIdContext, reference: string): Promise<void> {
  const row = await claimBankIdOrder.first(context.pool, { reference, leaseMs: collectLeaseMs })
  if (row === undefined) return
  const content = openContent<PendingContent>(context, reference, row.content_sealed!)
  const turn = { reference, collects: row.collects, content, seconds: row.seconds, ageMs: row.age_ms }
  const { orderRef } = content.order
  const result = await context.client.call('collect', { orderRef }, readCollected, content.certificate)
  if ('fault' in result) return takeFault(context, turn, result.fault)
  const { answer } = result
  if (answer.orderRef !== orderRef) {
    context.log.error({ why: 'of_other_order' }, 'an answer of BankID does not hold')
    return settleFailed(context, turn, 'not_verified')
  }
  if (answer.status === 'complete') return complete(context, turn, answer.completionData)
  const hint = wordOf(answer.hintCode)
  if (answer.status === 'pending') return goOn(context, turn, hint)
  if (hint === 'startFailed' && turn.ageMs < restartMsMax) return renew(context, turn)
  return settleFailed(context, turn, hint)
}
