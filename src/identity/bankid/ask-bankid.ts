import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../service/context.ts'
import { tellDatabaseTime } from '../../clock/database-time.ts'
import { isCutShort, isDatabaseUnavailable } from '../../database/is-database-unavailable.ts'
import { readCancelled, readCollected, readOrder } from './answers.ts'
import { isAnsweredHere } from './answered-here.ts'
import { callTimeoutMs, type BankIdClient } from './client.ts'
import { completionMsMax, type CompletionChecker } from './completion-checker.ts'
import { readCompletion, type CheckedCompletion, type Completion } from './completion.ts'
import { hintCodes, errorCodes, isOfUnknownOrder, isPassing, reasonOf, wordOf, type Fault } from './faults.ts'
import { NotVerified } from './evidence/not-verified.ts'
import { openContent, sealContent, type PendingContent } from './order-content.ts'
import {
  awaitsReturn,
  claimBankIdOrder,
  renewBankIdOrder,
  settleBankIdOrder,
  updateBankIdHint,
} from './queries.ts'

/** How often BankID is asked about an order, whatever pages ask and however many processes there are. Milliseconds. */
export const collectEveryMs = 2_000
/**
 * How long storing what BankID said of an order is tried again while the database is unavailable, since BankID says it once.
 * Then it is lost. A single try takes 9 seconds at most: a connection's, a statement's, and a grace. Milliseconds.
 */
export const storeMsMax = 20_000
/** The pause between two such tries. Milliseconds. */
const storeAgainAfterMs = 250
/**
 * Until when another process waits for one that asks and was killed meanwhile: as long as the question (10 s), the check of a
 * completed order, or the call that begins it anew (10 s), and storing what came of it (20 s) may take. Milliseconds.
 */
export const collectLeaseMs = callTimeoutMs + Math.max(completionMsMax, callTimeoutMs) + storeMsMax
/** For how long after the first start a new order takes the place of one that nobody started. Milliseconds. */
export const restartMsMax = 3 * 60_000
/** How old an order may be at BankID while its answers fail to come; then it has failed. Milliseconds. */
export const unansweredMsMax = 5 * 60_000
/**
 * How old an order is at BankID when it may have ended it, told the result to nobody and forgotten it: the shortest time for
 * which it keeps a result. An order that it does not know any more has then expired; before, the question was at fault.
 * Milliseconds.
 */
export const unknownAfterMs = 3 * 60_000
/** How long the result of an order is kept for the page. Milliseconds. */
export const resultKeptMs = 5 * 60_000

/**
 * How long a sign-in that was answered on another network waits for its nonce: the page that was there before may be seen a moment
 * before the app opens the address. Then it has failed. Milliseconds.
 */
export const returnWaitMs = 20_000

/** Why a sign-in has failed whose app was started here, for all that was said, and that was answered on another device. */
export const otherNetwork = 'other_network'

/** Why an order was not begun: the service does not see where people are, and BankID would weigh its proxy's address. */
export const noPublicAddress = 'no_public_address'

export interface BankIdContext extends Pick<Context, 'pool' | 'keys' | 'log' | 'telemetry'> {
  client: BankIdClient
  checker: CompletionChecker
  /** Aborted where the process stops and waits no longer. */
  stopping: AbortSignal
}

/** The turn to ask about an order. */
interface Turn {
  reference: string
  collects: number
  content: PendingContent
  seconds: number
  ageMs: number
  /** The database's clock, in milliseconds since 1970. */
  nowMs: () => number
  /** When another process may take the turn. What this one stores then is stored only as long as none has. */
  untilMs: number
}

const uniqueViolation = '23505'

/**
 * What a pending order waits for while the one at BankID is over, and another has not begun yet: there is no code to show, and
 * nothing to ask about. No word of BankID's is like it.
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

/** Counts how an order ended: by words that are known, since BankID may say others. */
export function countOrder({ telemetry }: Pick<Context, 'telemetry'>, outcome: string): void {
  telemetry.bankIdOrders.inc({ outcome: countedOutcomes.has(outcome) ? outcome : 'other' })
}

function countRisk({ telemetry }: Pick<Context, 'telemetry'>, { risk = 'none' }: Completion): void {
  telemetry.bankIdRisk.inc({ risk: risks.has(risk) ? risk : 'none' })
}

/**
 * Stores what BankID has said, and will not say again: while the database is unavailable it is tried again, as long as the turn
 * lasts and the process does not stop.
 *
 * @param write must change nothing the second time: whether the first one came through may be unknown
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
      const isAway = isDatabaseUnavailable(error) || isCutShort(error)
      if (!isAway || stopping.aborted || turn.nowMs() >= turn.untilMs) throw error
    }
    await sleep(storeAgainAfterMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

async function settleFailed(context: BankIdContext, turn: Turn, reason: string): Promise<void> {
  const { reference, collects } = turn
  const settled = await store(context, turn, () =>
    settleBankIdOrder.first(context.pool, {
      reference,
      collects,
      state: 'failed',
      word: reason,
      contentSealed: null,
      signatureSha256: null,
      keptMs: resultKeptMs,
    }),
  )
  if (settled !== undefined) countOrder(context, reason)
}

async function goOn(
  context: BankIdContext,
  turn: Turn,
  hint: string | null,
  collectInMs = collectEveryMs,
): Promise<void> {
  const { reference, collects } = turn
  await store(context, turn, () =>
    updateBankIdHint.run(context.pool, { reference, collects, hint, collectInMs }),
  )
}

/** BankID did not say how far the order is. */
async function takeFault(context: BankIdContext, turn: Turn, fault: Fault): Promise<void> {
  const atBankIdMs = turn.seconds * 1_000
  // BankID was not asked where this process cannot: another one may at once.
  const collectInMs = fault.code === 'no_certificate' ? 0 : collectEveryMs
  if (isPassing(fault) && atBankIdMs < unansweredMsMax) return goOn(context, turn, null, collectInMs)
  // Nobody asked for so long that BankID has forgotten it: the person came back late, and nothing is at fault.
  const isUnknown = isOfUnknownOrder(fault) && atBankIdMs >= unknownAfterMs
  return settleFailed(context, turn, isUnknown ? 'expired' : reasonOf(fault))
}

/**
 * Nobody started the app in time: the same is asked anew, while the page goes on as if nothing had happened. Where BankID is away,
 * it is asked again at the next turn; until then there is no code to show.
 */
async function renew(context: BankIdContext, turn: Turn): Promise<void> {
  const { reference, collects, content } = turn
  const result = await context.client.call(content.operation, content.request, readOrder)
  if ('fault' in result) {
    if (isPassing(result.fault)) return goOn(context, turn, betweenOrders)
    return settleFailed(context, turn, reasonOf(result.fault))
  }
  const { answer: order, certificate } = result
  const startedAt = new Date(turn.nowMs())
  const contentSealed = sealContent(context, reference, { ...content, order, certificate })
  let tries = 0
  const renewed = await store(context, turn, () => {
    tries += 1
    return renewBankIdOrder.first(context.pool, {
      reference,
      collects,
      hint: 'outstandingTransaction',
      contentSealed,
      startedAt,
      collectInMs: collectEveryMs,
    })
  })
  // It was cancelled meanwhile. After a try that may have come through it may be another's turn as well: then it ends by itself.
  if (renewed === undefined && tries === 1) {
    await context.client.call('cancel', { orderRef: order.orderRef }, readCancelled, certificate)
  }
}

/**
 * @param isAwaited the nonce of the return page must come back before it counts
 * @throws NotVerified where its signature has completed another order before
 */
async function settleComplete(
  context: BankIdContext,
  turn: Turn,
  completion: Completion,
  checked: CheckedCompletion,
  isAwaited: boolean,
): Promise<void> {
  const { reference, collects } = turn
  const contentSealed = sealContent(context, reference, checked)
  const settled = await store(context, turn, () =>
    settleBankIdOrder.first(context.pool, {
      reference,
      collects,
      state: 'complete',
      word: isAwaited ? awaitsReturn : 'complete',
      contentSealed,
      signatureSha256: createHash('sha256').update(completion.signature).digest(),
      keptMs: isAwaited ? returnWaitMs : resultKeptMs,
    }),
  ).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === uniqueViolation) throw new NotVerified('of_other_order')
    throw error
  })
  if (settled !== undefined && !isAwaited) countOrder(context, 'complete')
}

/**
 * Whether a sign-in counts as soon as BankID says that it is complete. A signature does: it is of the session that began it, and asked
 * of one person. So does a scanned code, which was on the screen that began. Else the order's autostart token may have been sent
 * to somebody, who would sign in whoever began.
 */
function isForWhoBegan({ content: { operation, device, request } }: Turn, completion: Completion): boolean {
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
    countRisk(context, completion)
    // BankID's own advice: a transaction of high risk is not gone through with.
    if (completion.risk === 'high') return await settleFailed(context, turn, 'transactionRiskBlocked')
    const isForCaller = isForWhoBegan(turn, completion)
    if (!isForCaller && !opensReturnPage) return await settleFailed(context, turn, otherNetwork)
    await settleComplete(context, turn, completion, checked, !isForCaller)
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    context.log.error({ why: error.reason }, 'a completed order of BankID does not hold')
    await settleFailed(context, turn, 'not_verified')
  }
}

/**
 * Asks BankID how far an order is and writes it down, where it is time to ask and no other page or process is asking.
 *
 * @throws where the database is unavailable: before BankID is asked, or for so long that what it said is lost
 */
export async function askBankId(context: BankIdContext, reference: string): Promise<void> {
  // A result is given once: another page asks when there is room for it.
  if (context.checker.isFull()) return
  const row = await claimBankIdOrder.first(context.pool, { reference, leaseMs: collectLeaseMs })
  if (row === undefined) return
  const content = openContent<PendingContent>(context, reference, row.content_sealed!)
  const turn: Turn = {
    reference,
    collects: row.collects,
    content,
    seconds: row.seconds,
    ageMs: row.age_ms,
    nowMs: tellDatabaseTime(row.now_ms),
    untilMs: row.now_ms + collectLeaseMs,
  }
  const mayBeginAnew = turn.ageMs < restartMsMax
  if (row.word === betweenOrders) {
    return mayBeginAnew ? renew(context, turn) : settleFailed(context, turn, 'unavailable')
  }
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
  // On this device nobody looks for another one: the app is not there.
  if (hint === 'startFailed' && mayBeginAnew && content.device !== 'this') {
    // BankID says it once, and the code on the page is of no use from now on.
    await goOn(context, turn, betweenOrders, callTimeoutMs + storeMsMax)
    return renew(context, turn)
  }
  return settleFailed(context, turn, hint)
}
