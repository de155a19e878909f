import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DirectoryContext } from '../../../context.ts'
import { createDatabaseTimeEstimate } from '../../../platform/clock/database-time.ts'
import { isCutShort, isDatabaseUnavailable } from '../../../platform/database/is-database-unavailable.ts'
import { isAnsweredHere } from './answered-here.ts'
import { readCollected, readOrder } from './answers.ts'
import { callTimeoutMs, type BankIdClient } from './client.ts'
import { completionMsMax, type CompletionChecker } from './completion-checker.ts'
import { readCompletion, type CheckedCompletion, type Completion } from './completion.ts'
import { NotVerified } from './evidence/not-verified.ts'
import {
  errorCodes,
  hintCodes,
  isOfUnknownOrder,
  isTransient,
  toReason,
  toWord,
  type Fault,
} from './faults.ts'
import { openContent, sealContent, type PendingContent } from './order-content.ts'
import {
  awaitsReturn,
  claimBankIdOrder,
  renewBankIdOrder,
  settleBankIdOrder,
  updateBankIdHint,
} from './queries.ts'

/** How often BankID is called about an order by all pages and processes together. Milliseconds. */
export const collectEveryMs = 2_000
/**
 * How long storing an answer of BankID is tried again while the database is unavailable, since BankID gives it once. Then it is
 * lost. A single try takes at most 9 seconds: a connection's, a statement's, and a grace. Milliseconds.
 */
export const storeMsMax = 20_000
/** The pause between two such tries. Milliseconds. */
const storeAgainAfterMs = 250
/**
 * When another process takes over from one that was killed meanwhile: after as long as the call (10 s), the check of a completed
 * order or the call that renews it (10 s), and storing the outcome (20 s) may take. Milliseconds.
 */
const collectLeaseMs = callTimeoutMs + Math.max(completionMsMax, callTimeoutMs) + storeMsMax
/** For how long after the first start an order that was not scanned is renewed. Milliseconds. */
export const restartMsMax = 3 * 60_000
/** How old an order may be at BankID while its answers fail; then it has failed. Milliseconds. */
const unansweredMsMax = 5 * 60_000
/**
 * The shortest time for which BankID keeps a result. An older order that it does not know has expired; a younger one means that
 * the request was wrong. Milliseconds.
 */
const unknownAfterMs = 3 * 60_000
/** How long the result of an order is stored for the page. Milliseconds. */
export const resultKeptMs = 5 * 60_000

/**
 * How long a sign-in that was answered on another network waits for its nonce: the browser may show the page that was there
 * before until the app opens the address. Then it has failed. Milliseconds.
 */
export const returnWaitMs = 20_000

/** A sign-in has failed whose app should have been started here, and which was apparently answered on another device. */
export const otherNetwork = 'other_network'

/** An order was not begun: the service does not see people's addresses, and BankID would assess the proxy's. */
export const noPublicAddress = 'no_public_address'

export interface BankIdContext extends Pick<DirectoryContext, 'pool' | 'keys' | 'log' | 'telemetry'> {
  client: BankIdClient
  checker: CompletionChecker
  /** Aborted when the process stops and waits no longer. */
  stopping: AbortSignal
}

/** An order for which this process may call BankID now. */
interface Turn {
  reference: string
  collectCount: number
  content: PendingContent
  seconds: number
  ageMs: number
  /** The database's clock, in milliseconds since 1970. */
  nowMs: () => number
  /** When another process may take over. What this one stores later is stored only if none has. */
  untilMs: number
}

const uniqueViolation = '23505'

/**
 * The hint of an order that is over at BankID and not renewed yet: there is no code to show, and nothing to collect. Differs from
 * all words of BankID's.
 */
export const betweenOrders = 'between_orders'

const countedOutcomes: ReadonlySet<string> = new Set([
  'complete',
  'unavailable',
  'not_verified',
  'refused',
  'expired',
  otherNetwork,
  noPublicAddress,
  ...hintCodes.failed,
  ...errorCodes,
])
const risks: ReadonlySet<string> = new Set(['low', 'moderate', 'high'])

/** Counts how an order ended, by known words: BankID may send others. */
export function countOrder({ telemetry }: Pick<DirectoryContext, 'telemetry'>, outcome: string): void {
  telemetry.bankIdOrders.inc({ outcome: countedOutcomes.has(outcome) ? outcome : 'other' })
}

/**
 * Stores an answer that BankID will not give again: repeatedly while the database is unavailable, as long as the turn lasts and
 * the process does not stop.
 *
 * @param write must change nothing the second time: it may be unknown whether the first try succeeded
 */
async function store<Stored>(
  { stopping }: Pick<BankIdContext, 'stopping'>,
  turn: Turn,
  write: () => Promise<Stored>,
): Promise<Stored> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      const isUnavailable = isDatabaseUnavailable(error) || isCutShort(error)
      if (!isUnavailable || stopping.aborted || turn.nowMs() >= turn.untilMs) throw error
    }
    await sleep(storeAgainAfterMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

async function settleFailed(context: BankIdContext, turn: Turn, reason: string): Promise<void> {
  const { reference, collectCount } = turn
  const settled = await store(context, turn, () =>
    settleBankIdOrder.first(context.pool, {
      reference,
      collectCount,
      state: 'failed',
      hint: reason,
      contentSealed: null,
      signatureSha256: null,
      keptMs: resultKeptMs,
    }),
  )
  if (settled !== undefined) countOrder(context, reason)
}

/** Stores the hint (null: the same as before) and when BankID is called next. */
async function keepPending(
  context: BankIdContext,
  turn: Turn,
  hint: string | null,
  collectInMs = collectEveryMs,
): Promise<void> {
  const { reference, collectCount } = turn
  await store(context, turn, () =>
    updateBankIdHint.run(context.pool, { reference, collectCount, hint, collectInMs }),
  )
}

async function handleFault(context: BankIdContext, turn: Turn, fault: Fault): Promise<void> {
  const atBankIdMs = turn.seconds * 1_000
  // Without the certificate BankID was not called: another process may do so immediately.
  const collectInMs = fault.code === 'no_certificate' ? 0 : collectEveryMs
  if (isTransient(fault) && atBankIdMs < unansweredMsMax) {
    return keepPending(context, turn, null, collectInMs)
  }
  // The page was away for so long that BankID has forgotten the order: nothing is wrong.
  const isUnknown = isOfUnknownOrder(fault) && atBankIdMs >= unknownAfterMs
  return settleFailed(context, turn, isUnknown ? 'expired' : toReason(fault))
}

/**
 * Begins another order at BankID in place of one whose app was not started in time; the page notices nothing. If BankID is
 * unavailable, this is tried again at the next turn, with no code to show until then.
 */
async function renew(context: BankIdContext, turn: Turn): Promise<void> {
  const { reference, collectCount, content } = turn
  const result = await context.client.call(content.operation, content.request, readOrder)
  if ('fault' in result) {
    if (isTransient(result.fault)) return keepPending(context, turn, betweenOrders)
    return settleFailed(context, turn, toReason(result.fault))
  }
  const { answer: order, certificate } = result
  const startedAt = new Date(turn.nowMs())
  const contentSealed = sealContent(context, reference, { ...content, order, certificate })
  let tries = 0
  const renewed = await store(context, turn, () => {
    tries += 1
    return renewBankIdOrder.first(context.pool, {
      reference,
      collectCount,
      hint: 'outstandingTransaction',
      contentSealed,
      startedAt,
      collectInMs: collectEveryMs,
    })
  })
  // It was cancelled meanwhile. If an earlier try may have succeeded, it may also be another's turn: then the order just expires.
  if (renewed === undefined && tries === 1) {
    await context.client.call('cancel', { orderRef: order.orderRef }, () => true, certificate)
  }
}

/**
 * @param isAwaited it counts only once the nonce of the return page has come back
 * @throws NotVerified if its signature has completed another order before
 */
async function settleComplete(
  context: BankIdContext,
  turn: Turn,
  completion: Completion,
  checked: CheckedCompletion,
  isAwaited: boolean,
): Promise<void> {
  const { reference, collectCount } = turn
  const contentSealed = sealContent(context, reference, checked)
  const settled = await store(context, turn, () =>
    settleBankIdOrder.first(context.pool, {
      reference,
      collectCount,
      state: 'complete',
      hint: isAwaited ? awaitsReturn : 'complete',
      contentSealed,
      signatureSha256: hash('sha256', completion.signature, 'buffer'),
      keptMs: isAwaited ? returnWaitMs : resultKeptMs,
    }),
  ).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === uniqueViolation) throw new NotVerified('of_other_order')
    throw error
  })
  if (settled !== undefined && !isAwaited) countOrder(context, 'complete')
}

/**
 * Whether a sign-in counts as soon as BankID says that it is complete. A signature does: it belongs to the session that began it,
 * and is requested of one person. So does a scanned code, which was on the screen that began. Otherwise the order's autostart
 * token may have been sent to a victim, who would sign the attacker in.
 */
function countsImmediately(
  { content: { operation, device, request } }: Turn,
  completion: Completion,
): boolean {
  return (
    operation === 'sign' ||
    device === 'other' ||
    isAnsweredHere(request.endUserIp, completion.device.ipAddress)
  )
}

async function complete(context: BankIdContext, turn: Turn, completionData: unknown): Promise<void> {
  const { order, operation, visibleText, nonVisibleHex, personalNumber, opensReturnPage } = turn.content
  try {
    const completion = readCompletion(completionData)
    const checked = await context.checker.check({
      completion,
      requested: { operation, visibleText, nonVisibleHex, personalNumber },
      orderRef: order.orderRef,
      roots: context.client.roots,
      at: new Date(turn.nowMs()),
    })
    const { risk = 'none' } = completion
    context.telemetry.bankIdRisk.inc({ risk: risks.has(risk) ? risk : 'none' })
    // BankID's own advice: do not accept a transaction of high risk.
    if (risk === 'high') return await settleFailed(context, turn, 'transactionRiskBlocked')
    const isAwaited = !countsImmediately(turn, completion)
    if (isAwaited && !opensReturnPage) return await settleFailed(context, turn, otherNetwork)
    await settleComplete(context, turn, completion, checked, isAwaited)
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    context.log.error({ why: error.reason }, 'a completed order of BankID does not hold')
    await settleFailed(context, turn, 'not_verified')
  }
}

/**
 * Calls BankID about an order and stores the answer, if a call is due and no other page or process is making it.
 *
 * @throws if the database is unavailable: before BankID is called, or for so long that its answer is lost
 */
export async function collectBankIdOrder(context: BankIdContext, reference: string): Promise<void> {
  // A result is given once: another page collects it when there is room.
  if (context.checker.isFull()) return
  const row = await claimBankIdOrder.first(context.pool, { reference, leaseMs: collectLeaseMs })
  if (row === undefined) return
  const content = openContent<PendingContent>(context, reference, row.content_sealed!)
  const untilMs = row.next_collect_at.getTime()
  const nowMs = untilMs - collectLeaseMs
  const turn: Turn = {
    reference,
    collectCount: row.collect_count,
    content,
    seconds: Math.max(0, Math.floor((nowMs - row.started_at.getTime()) / 1_000)),
    ageMs: nowMs - row.created_at.getTime(),
    nowMs: createDatabaseTimeEstimate(nowMs),
    untilMs,
  }
  const mayRenew = turn.ageMs < restartMsMax
  if (row.hint === betweenOrders) {
    return mayRenew ? renew(context, turn) : settleFailed(context, turn, 'unavailable')
  }
  const { orderRef } = content.order
  const result = await context.client.call('collect', { orderRef }, readCollected, content.certificate)
  if ('fault' in result) return handleFault(context, turn, result.fault)
  const { answer } = result
  if (answer.orderRef !== orderRef) {
    context.log.error({ why: 'of_other_order' }, 'an answer of BankID does not hold')
    return settleFailed(context, turn, 'not_verified')
  }
  if (answer.status === 'complete') return complete(context, turn, answer.completionData)
  const hint = toWord(answer.hintCode)
  if (answer.status === 'pending') return keepPending(context, turn, hint)
  // An order for this device is not renewed: the app is not there.
  if (hint === 'startFailed' && mayRenew && content.device !== 'this') {
    // BankID says it once, and the code on the page is useless from now on.
    await keepPending(context, turn, betweenOrders, callTimeoutMs + storeMsMax)
    return renew(context, turn)
  }
  return settleFailed(context, turn, hint)
}
