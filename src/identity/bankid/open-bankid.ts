import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../service/context.ts'
import { databaseTimeMs, tellDatabaseTime } from '../../clock/database-time.ts'
import type { BankIdSettings, SecretSettings } from '../../config/config.ts'
import { isLoopback } from '../../config/is-loopback.ts'
import type {
  OrderOrigin,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { isPublicAddress } from './answered-here.ts'
import { readCancelled, readOrder } from './answers.ts'
import {
  askBankId,
  betweenOrders,
  collectEveryMs,
  countOrder,
  noPublicAddress,
  otherNetwork,
  restartMsMax,
  resultKeptMs,
  type BankIdContext,
} from './ask-bankid.ts'
import { beginSignIn, beginSigning, type Begun } from './begin-order.ts'
import { openClient } from './client.ts'
import { createCompletionChecker } from './completion-checker.ts'
import type { CheckedCompletion } from './completion.ts'
import { reasonOf } from './faults.ts'
import { openContent, sealContent, type PendingContent } from './order-content.ts'
import { qrText } from './qr-text.ts'
import {
  awaitsReturn,
  cancelBankIdOrder,
  completeAwaitedBankIdOrder,
  failAwaitedBankIdOrder,
  insertBankIdOrder,
  selectBankIdOrder,
  type BankIdOrderRow,
} from './queries.ts'

/** How long a person has to answer, in milliseconds, new starts included. Longer than BankID waits. */
export const bankIdOrderLifetimeMs = 10 * 60_000
/** How long BankID waits for the app to be started, in milliseconds; on this device the order has failed then. */
export const bankIdStartMsMax = 30_000
/** How long a page waits for what BankID says; then it is told what was known before. Milliseconds. */
export const collectWaitMs = 1_000
/** How long a process that stops waits for what BankID says of its orders. Milliseconds. */
export const stopWaitMs = 3_000

const expired: OrderProgress = { state: 'failed', reason: 'expired' }

/** While the app has not taken the order, it can be started here, or find the code on this screen. */
const startable: ReadonlySet<string> = new Set(['outstandingTransaction', 'noClient'])

function presentationOf(content: PendingContent, seconds: number): Presentation {
  const { device, launch, order } = content
  return {
    ...(launch === null ? {} : { launchUrl: `${launch.urlBase}${order.autoStartToken}${launch.urlEnd}` }),
    ...(device === 'this' ? {} : { qrText: qrText(order, seconds) }),
  }
}

function isAwaited({ state, word }: BankIdOrderRow): boolean {
  return state === 'complete' && word === awaitsReturn
}

function progressOf(
  context: Pick<Context, 'keys'>,
  reference: string,
  row: BankIdOrderRow | undefined,
): OrderProgress {
  if (row === undefined) return expired
  if (row.state === 'failed') return { state: 'failed', reason: row.word }
  if (row.is_over) return isAwaited(row) ? { state: 'failed', reason: otherNetwork } : expired
  if (isAwaited(row)) return { state: 'pending', hint: row.word, presentation: {} }
  const sealed = row.content_sealed!
  if (row.state === 'complete') {
    const { person, evidence } = openContent<CheckedCompletion>(context, reference, sealed)
    return { state: 'complete', person, evidence }
  }
  return {
    state: 'pending',
    // The page waits for a code as it did before, though there is none for a moment.
    hint: row.word === betweenOrders ? 'outstandingTransaction' : row.word,
    presentation: startable.has(row.word)
      ? presentationOf(openContent<PendingContent>(context, reference, sealed), row.seconds)
      : {},
  }
}

function newReference(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Whether the service sees where people are. Where its own address is of this machine alone, so are they; elsewhere an address that is
 * not public is a proxy's, behind which all people would be on one network.
 */
function seesPeople({ endUserIp, returnUrl }: OrderOrigin): boolean {
  return isPublicAddress(endUserIp) || isLoopback(new URL(returnUrl).hostname)
}

async function storeFailed(
  context: BankIdContext,
  reference: string,
  reason: string,
  startedMs: number,
): Promise<StartedOrder> {
  await insertBankIdOrder.run(context.pool, {
    reference,
    state: 'failed',
    word: reason,
    contentSealed: null,
    startedAt: new Date(startedMs),
    collectInMs: 0,
    lifetimeMs: resultKeptMs,
  })
  countOrder(context, reason)
  return { reference, presentation: {} }
}

/** Begins an order at BankID and stores it, failed where BankID refuses or is away. The code is of when it is asked for. */
async function start(
  context: BankIdContext,
  reference: string,
  origin: OrderOrigin,
  begun: Begun,
): Promise<StartedOrder> {
  // Before BankID answers: how long the database then takes to store the order is part of the code's seconds.
  const nowMs = tellDatabaseTime(await databaseTimeMs(context.pool))
  if (!seesPeople(origin)) {
    context.log.error(
      { address: origin.endUserIp },
      'no order of BankID was begun: the address that it came from is not public. ' +
        'NUMERA_TRUST_PROXY must name each proxy in front of the service, so that it sees the addresses of people',
    )
    return storeFailed(context, reference, noPublicAddress, nowMs())
  }
  const result = await context.client.call(begun.operation, begun.request, readOrder)
  const startedMs = nowMs()
  if ('fault' in result) return storeFailed(context, reference, reasonOf(result.fault), startedMs)
  const content = { ...begun, order: result.answer, certificate: result.certificate }
  await insertBankIdOrder.run(context.pool, {
    reference,
    state: 'pending',
    word: 'outstandingTransaction',
    contentSealed: sealContent(context, reference, content),
    startedAt: new Date(startedMs),
    collectInMs: collectEveryMs,
    lifetimeMs: bankIdOrderLifetimeMs,
  })
  return {
    reference,
    // Whoever stores more before it is shown asks for it afterwards.
    get presentation() {
      return presentationOf(content, Math.floor((nowMs() - startedMs) / 1_000))
    },
    answerWithinMs: begun.device === 'this' ? bankIdStartMsMax : restartMsMax,
  }
}

/** Decides on a sign-in that counts only with its nonce, where that has come back or the time is over. */
async function takeReturn(
  context: BankIdContext,
  reference: string,
  row: BankIdOrderRow,
  hasReturned: boolean,
): Promise<void> {
  const { pool } = context
  if (row.is_over) {
    const given = { reference, word: otherNetwork, keptMs: resultKeptMs }
    if ((await failAwaitedBankIdOrder.first(pool, given)) !== undefined) countOrder(context, otherNetwork)
    return
  }
  if (!hasReturned) return
  const completed = await completeAwaitedBankIdOrder.first(pool, { reference, keptMs: resultKeptMs })
  if (completed !== undefined) countOrder(context, 'complete')
}

async function cancel(context: BankIdContext, reference: string): Promise<void> {
  const row = await cancelBankIdOrder.first(context.pool, { reference, word: 'refused' })
  if (row === undefined) return
  countOrder(context, 'refused')
  if (row.word === betweenOrders) return
  const { order, certificate } = openContent<PendingContent>(context, reference, row.content_sealed)
  await context.client.call('cancel', { orderRef: order.orderRef }, readCancelled, certificate)
}

/**
 * Electronic identity by BankID, relying-party API 6.0 [eid.provider]. Its orders stand in the database, so that any process
 * of the deployment goes on with them, and BankID is asked about each at most every other second by all of them together.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function openBankId(
  settings: BankIdSettings,
  secrets: Pick<SecretSettings, 'bankidPassphrase'>,
  context: Pick<Context, 'pool' | 'clock' | 'keys' | 'log' | 'telemetry'>,
  options: { callTimeoutMs?: number; collectWaitMs?: number } = {},
): SignInProvider & SigningProvider & AsyncDisposable {
  const { pool, keys, log, telemetry } = context
  const client = openClient(settings, secrets.bankidPassphrase, context, options.callTimeoutMs)
  const checker = createCompletionChecker()
  const stopping = new AbortController()
  const bankid = { pool, keys, log, telemetry, client, checker, stopping: stopping.signal }
  const underWay = new Set<Promise<void>>()

  /** A page does not wait for a slow BankID: the code on it has to move. */
  const waitAWhile = async (work: Promise<void>): Promise<void> => {
    const waited = Promise.withResolvers<void>()
    const ended = work.catch((error: unknown) => {
      log.error({ err: error }, 'an order of BankID could not be gone on with')
    })
    underWay.add(ended)
    void ended.then(() => underWay.delete(ended))
    const timer = setTimeout(waited.resolve, options.collectWaitMs ?? collectWaitMs)
    await Promise.race([ended, waited.promise])
    clearTimeout(timer)
  }

  return {
    name: 'bankid',
    startSignIn: async (origin) => {
      const reference = newReference()
      return start(bankid, reference, origin, beginSignIn(origin, reference))
    },
    startSigning: async (request) => start(bankid, newReference(), request, beginSigning(request)),
    collect: async (reference, hasReturned = false) => {
      const find = () => selectBankIdOrder.first(pool, { reference })
      let row = await find()
      if (row?.is_due === true && !row.is_over) {
        await waitAWhile(askBankId(bankid, reference))
        row = await find()
      }
      if (row !== undefined && isAwaited(row)) {
        await takeReturn(bankid, reference, row, hasReturned)
        row = await find()
      }
      return progressOf(context, reference, row)
    },
    cancel: async (reference) => waitAWhile(cancel(bankid, reference)),
    [Symbol.asyncDispose]: async () => {
      // BankID gives a result once: what it says now, or what waits for the database, would be lost.
      await Promise.race([Promise.all(underWay), sleep(stopWaitMs, undefined, { ref: false })])
      stopping.abort()
      await client[Symbol.asyncDispose]()
      await Promise.all(underWay)
      await checker.close()
    },
  }
}
