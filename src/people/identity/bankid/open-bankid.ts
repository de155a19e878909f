import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DirectoryContext } from '../../../context.ts'
import { databaseTimeMs, createDatabaseTimeEstimate } from '../../../platform/clock/database-time.ts'
import type { BankIdSettings, SecretSettings } from '../../../platform/config/config.ts'
import { isLoopback } from '../../../platform/config/is-loopback.ts'
import type {
  OrderOrigin,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { isPublicAddress } from './answered-here.ts'
import { readOrder } from './answers.ts'
import { beginSignIn, beginSigning, type Begun } from './begin-order.ts'
import { openClient } from './client.ts'
import {
  betweenOrders,
  collectBankIdOrder,
  collectEveryMs,
  countOrder,
  noPublicAddress,
  otherNetwork,
  restartMsMax,
  resultKeptMs,
  type BankIdContext,
} from './collect-order.ts'
import { createCompletionChecker } from './completion-checker.ts'
import type { CheckedCompletion } from './completion.ts'
import { toReason } from './faults.ts'
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

/** How long a person has to answer, in milliseconds, renewals included. Longer than BankID waits. */
const bankIdOrderLifetimeMs = 10 * 60_000
/** How long BankID waits for the app to be started, in milliseconds; on this device the order has failed then. */
const bankIdStartMsMax = 30_000
/** How long a page waits for BankID's answer; then it gets what was known before. Milliseconds. */
const collectWaitMs = 1_000
/** How long a process that stops waits for BankID's answers. Milliseconds. */
export const stopWaitMs = 3_000

const expired: OrderProgress = { state: 'failed', reason: 'expired' }

/** Until the app has the order, it can be started here, or scan the code on this screen. */
const startable: ReadonlySet<string> = new Set(['outstandingTransaction', 'noClient'])

function toPresentation({ launch, order }: PendingContent, seconds: number): Presentation {
  return launch === null
    ? { qrText: qrText(order, seconds) }
    : { launchUrl: `${launch.urlBase}${order.autoStartToken}${launch.urlEnd}` }
}

function isAwaited({ state, hint }: BankIdOrderRow): boolean {
  return state === 'complete' && hint === awaitsReturn
}

function toProgress(
  context: Pick<DirectoryContext, 'keys'>,
  reference: string,
  row: BankIdOrderRow | undefined,
): OrderProgress {
  if (row === undefined) return expired
  if (row.state === 'failed') return { state: 'failed', reason: row.hint }
  if (row.is_over) return isAwaited(row) ? { state: 'failed', reason: otherNetwork } : expired
  if (isAwaited(row)) return { state: 'pending', hint: row.hint, presentation: {} }
  const sealed = row.content_sealed!
  if (row.state === 'complete') {
    const { person, evidence } = openContent<CheckedCompletion>(context, reference, sealed)
    return { state: 'complete', person, evidence }
  }
  return {
    state: 'pending',
    // The page waits for a code as before, though there is none for a moment.
    hint: row.hint === betweenOrders ? 'outstandingTransaction' : row.hint,
    presentation: startable.has(row.hint)
      ? toPresentation(openContent<PendingContent>(context, reference, sealed), row.seconds)
      : {},
  }
}

function createReference(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Whether the service sees people's addresses. If its own address is this machine's, people are on this machine; elsewhere an
 * address that is not public is a proxy's, behind which all people would seem to be on one network.
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
    hint: reason,
    contentSealed: null,
    startedAt: new Date(startedMs),
    collectInMs: 0,
    lifetimeMs: resultKeptMs,
  })
  countOrder(context, reason)
  return { reference, presentation: {} }
}

/** Begins an order at BankID and stores it, as failed if BankID refuses or is unavailable. */
async function start(
  context: BankIdContext,
  reference: string,
  origin: OrderOrigin,
  begun: Begun,
): Promise<StartedOrder> {
  // Before BankID answers: the time that the database then takes to store the order counts for the code's seconds.
  const nowMs = createDatabaseTimeEstimate(await databaseTimeMs(context.pool))
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
  if ('fault' in result) return storeFailed(context, reference, toReason(result.fault), startedMs)
  const content = { ...begun, order: result.answer, certificate: result.certificate }
  await insertBankIdOrder.run(context.pool, {
    reference,
    state: 'pending',
    hint: 'outstandingTransaction',
    contentSealed: sealContent(context, reference, content),
    startedAt: new Date(startedMs),
    collectInMs: collectEveryMs,
    lifetimeMs: bankIdOrderLifetimeMs,
  })
  return {
    reference,
    // Computed when it is read: the caller first stores more.
    get presentation() {
      return toPresentation(content, Math.floor((nowMs() - startedMs) / 1_000))
    },
    answerWithinMs: begun.device === 'this' ? bankIdStartMsMax : restartMsMax,
  }
}

/** Decides on a sign-in that counts only with its nonce, once that has come back or the time is over. */
async function decideAwaited(
  context: BankIdContext,
  reference: string,
  row: BankIdOrderRow,
  hasReturned: boolean,
): Promise<void> {
  const { pool } = context
  const keptMs = resultKeptMs
  if (row.is_over) {
    const failed = await failAwaitedBankIdOrder.first(pool, { reference, hint: otherNetwork, keptMs })
    if (failed !== undefined) countOrder(context, otherNetwork)
  } else if (hasReturned) {
    const completed = await completeAwaitedBankIdOrder.first(pool, { reference, keptMs })
    if (completed !== undefined) countOrder(context, 'complete')
  }
}

async function cancel(context: BankIdContext, reference: string): Promise<void> {
  const row = await cancelBankIdOrder.first(context.pool, { reference, hint: 'refused' })
  if (row === undefined) return
  countOrder(context, 'refused')
  if (row.hint === betweenOrders) return
  const { order, certificate } = openContent<PendingContent>(context, reference, row.content_sealed)
  await context.client.call('cancel', { orderRef: order.orderRef }, () => true, certificate)
}

/**
 * Electronic identity by BankID, relying-party API 6.0 [eid.provider]. Its orders are in the database, so that any process
 * of the deployment can continue them, and BankID is called about each at most every other second by all of them together.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function openBankId(
  settings: BankIdSettings,
  secrets: Pick<SecretSettings, 'bankidPassphrase'>,
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'keys' | 'log' | 'telemetry'>,
  options: { callTimeoutMs?: number; collectWaitMs?: number } = {},
): SignInProvider & SigningProvider & AsyncDisposable {
  const { pool, keys, log, telemetry } = context
  const client = openClient(settings, secrets.bankidPassphrase, context, options.callTimeoutMs)
  const checker = createCompletionChecker()
  const stopping = new AbortController()
  const bankid = { pool, keys, log, telemetry, client, checker, stopping: stopping.signal }
  const inProgress = new Set<Promise<void>>()

  /** A page does not wait long for a slow BankID: the code on it has to move. */
  const waitBriefly = async (work: Promise<void>): Promise<void> => {
    const waited = Promise.withResolvers<void>()
    const ended = work.catch((error: unknown) => {
      log.error({ err: error }, 'an order of BankID could not be continued')
    })
    inProgress.add(ended)
    void ended.then(() => inProgress.delete(ended))
    const timer = setTimeout(waited.resolve, options.collectWaitMs ?? collectWaitMs)
    await Promise.race([ended, waited.promise])
    clearTimeout(timer)
  }

  return {
    name: 'bankid',
    startSignIn: async (origin) => {
      const reference = createReference()
      return start(bankid, reference, origin, beginSignIn(origin, reference))
    },
    startSigning: async (request) => start(bankid, createReference(), request, beginSigning(request)),
    collect: async (reference, hasReturned = false) => {
      const find = () => selectBankIdOrder.first(pool, { reference })
      let row = await find()
      if (row?.is_due === true && !row.is_over) {
        await waitBriefly(collectBankIdOrder(bankid, reference))
        row = await find()
      }
      if (row !== undefined && isAwaited(row)) {
        await decideAwaited(bankid, reference, row, hasReturned)
        row = await find()
      }
      return toProgress(context, reference, row)
    },
    cancel: async (reference) => waitBriefly(cancel(bankid, reference)),
    [Symbol.asyncDispose]: async () => {
      // BankID gives a result once: its present answers, and those that wait for the database, would be lost.
      await Promise.race([Promise.all(inProgress), sleep(stopWaitMs, undefined, { ref: false })])
      stopping.abort()
      await client[Symbol.asyncDispose]()
      await Promise.all(inProgress)
      await checker.close()
    },
  }
}
