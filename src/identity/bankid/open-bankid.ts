import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../service/context.ts'
import type { BankIdSettings, SecretSettings } from '../../config/config.ts'
import type {
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from '../identity-provider.ts'
import { readCancelled, readOrder } from './answers.ts'
import {
  askBankId,
  collectEveryMs,
  countOrder,
  restartMsMax,
  resultKeptMs,
  type BankIdContext,
} from './ask-bankid.ts'
import { beginSignIn, beginSigning, type Begun } from './begin-order.ts'
import { openClient } from './client.ts'
import { reasonOf } from './faults.ts'
import { openContent, sealContent, type CompleteContent, type PendingContent } from './order-content.ts'
import { qrText } from './qr-text.ts'
import { cancelBankIdOrder, insertBankIdOrder, selectBankIdOrder, type BankIdOrderRow } from './queries.ts'

/** How long a person has to answer, in milliseconds, new starts included. Longer than BankID waits. */
export const bankIdOrderLifetimeMs = 10 * 60_000
/** How long a page waits for what BankID says; then it is told what was known before. Milliseconds. */
export const collectWaitMs = 1_000
/** How long a process that stops waits for what BankID says of its orders. Milliseconds. */
export const stopWaitMs = 3_000

const expired: OrderProgress = { state: 'failed', reason: 'expired' }

/** While the app has not taken the order, it can be started here or find the code on another screen. */
const startable: ReadonlySet<string> = new Set(['outstandingTransaction', 'noClient'])

function presentationOf(content: PendingContent, seconds: number): Presentation {
  const { launch, order } = content
  return {
    launchUrl: `${launch.urlBase}${order.autoStartToken}${launch.urlEnd}`,
    qrText: qrText(order, seconds),
  }
}

function progressOf(
  context: Pick<Context, 'keys'>,
  reference: string,
  row: BankIdOrderRow | undefined,
): OrderProgress {
  if (row === undefined) return expired
  if (row.state === 'failed') return { state: 'failed', reason: row.word }
  if (row.is_over) return expired
  const sealed = row.content_sealed!
  if (row.state === 'complete') {
    return { state: 'complete', ...openContent<CompleteContent>(context, reference, sealed) }
  }
  return {
    state: 'pending',
    hint: row.word,
    presentation: startable.has(row.word)
      ? presentationOf(openContent<PendingContent>(context, reference, sealed), row.seconds)
      : {},
  }
}

function newReference(): string {
  return randomBytes(24).toString('base64url')
}

/** Begins an order at BankID and stores it, failed where BankID refuses or is away. */
async function start(context: BankIdContext, reference: string, begun: Begun): Promise<StartedOrder> {
  const result = await context.client.call(begun.operation, begun.request, readOrder)
  if ('fault' in result) {
    const reason = reasonOf(result.fault)
    await insertBankIdOrder.run(context.pool, {
      reference,
      state: 'failed',
      word: reason,
      contentSealed: null,
      collectInMs: 0,
      lifetimeMs: resultKeptMs,
    })
    countOrder(context, reason)
    return { reference, presentation: {} }
  }
  const content = { ...begun, order: result.answer, certificate: result.certificate }
  await insertBankIdOrder.run(context.pool, {
    reference,
    state: 'pending',
    word: 'outstandingTransaction',
    contentSealed: sealContent(context, reference, content),
    collectInMs: collectEveryMs,
    lifetimeMs: bankIdOrderLifetimeMs,
  })
  return { reference, presentation: presentationOf(content, 0), answerWithinMs: restartMsMax }
}

async function cancel(context: BankIdContext, reference: string): Promise<void> {
  const row = await cancelBankIdOrder.first(context.pool, { reference, word: 'refused' })
  if (row === undefined) return
  countOrder(context, 'refused')
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
  const bankid = { pool, keys, log, telemetry, client }
  const underWay = new Set<Promise<void>>()

  /** A page does not wait for a slow BankID: the code on it has to move. */
  const waitAWhile = async (work: Promise<void>): Promise<void> => {
    const waited = new AbortController()
    const ended = work.catch((error: unknown) => {
      log.error({ err: error }, 'an order of BankID could not be gone on with')
    })
    underWay.add(ended)
    void ended.then(() => underWay.delete(ended))
    await Promise.race([ended, sleep(options.collectWaitMs ?? collectWaitMs, undefined, waited)])
    waited.abort()
  }

  return {
    name: 'bankid',
    startSignIn: async (origin) => {
      const reference = newReference()
      return start(bankid, reference, beginSignIn(origin, reference))
    },
    startSigning: async (request) => start(bankid, newReference(), beginSigning(request)),
    collect: async (reference) => {
      const row = await selectBankIdOrder.first(pool, { reference })
      if (row === undefined || !row.is_due || row.is_over) return progressOf(context, reference, row)
      await waitAWhile(askBankId(bankid, reference))
      return progressOf(context, reference, await selectBankIdOrder.first(pool, { reference }))
    },
    cancel: async (reference) => waitAWhile(cancel(bankid, reference)),
    [Symbol.asyncDispose]: async () => {
      // BankID gives a result once: what it says now would be lost.
      await Promise.race([Promise.all(underWay), sleep(stopWaitMs, undefined, { ref: false })])
      await client[Symbol.asyncDispose]()
      await Promise.all(underWay)
    },
  }
}
