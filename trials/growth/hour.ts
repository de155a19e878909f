import { callOnce, type Outcome, quantile } from '../deployment/calls.ts'
import { decimalText } from '../deployment/ledger.ts'
import type { Random } from '../random.ts'
import { toCredential } from './directory.ts'
import { countDue, pickSource, ratePerSecond } from './monday.ts'

/** A delivery of the hour, and its meaning. */
export interface Sent {
  source: number
  key: string
  body: string
  /** In hundredths. */
  amount: bigint
  rows: number
  /** From each 202 that arrived. */
  artifacts: string[]
}

const stepMs = 10
/** Calls under way at the same time: beyond that, due deliveries wait, and count as late. */
const callsMax = 512
/** A delivery that waits longer than this for a free call is not offered. Milliseconds. */
const lateMsMax = 1_000
const rowsMax = 20

export function createDelivery(random: Random, source: number, key: string): Sent {
  const rows = random.integer(1, rowsMax)
  let amount = 0n
  const payload = Array.from({ length: rows }, () => {
    const hundredths = BigInt(random.integer(-20_000, 1_000_000))
    amount += hundredths
    return { at: `2026-01-${10 + random.integer(0, 15)}T12:00:00+01:00`, amount: decimalText(hundredths) }
  })
  const body = JSON.stringify({ idempotency_key: key, shape_version: 1, payload })
  return { source, key, body, amount, rows, artifacts: [] }
}

export async function send(url: string, delivery: Sent): Promise<Outcome> {
  const outcome = await callOnce(`${url}/v1/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${toCredential(delivery.source)}`,
      'content-type': 'application/json',
    },
    body: delivery.body,
  })
  if (outcome.status === 202)
    delivery.artifacts.push((JSON.parse(outcome.text) as { artifact_id: string }).artifact_id)
  return outcome
}

export interface Hour {
  sent: Sent[]
  due: number
  seconds: number
  /** By the second in which a delivery was due: from then to its answer, and its call alone. */
  waitedMs: number[]
  calledMs: number[]
  /** The most answers within a second. */
  answersPerSecondMax: number
}

/**
 * Offers an hour's deliveries within `ms`: what is due in it is due at the same part of this time, at the hour's rates, so
 * there are as many fewer.
 */
export async function playHour(options: {
  url: string
  sources: number
  ms: number
  random: Random
  onAnswer(delivery: Sent, outcome: Outcome): void
}): Promise<Hour> {
  const { url, sources, ms, random, onAnswer } = options
  const hour: Hour = {
    sent: [],
    due: 0,
    seconds: ms / 1_000,
    waitedMs: [],
    calledMs: [],
    answersPerSecondMax: 0,
  }
  const waiting: { source: number; key: string; dueMs: number }[] = []
  const calls = new Set<Promise<void>>()
  const answers = new Map<number, number>()
  const startedMs = performance.now()

  const call = async (delivery: Sent, dueMs: number): Promise<void> => {
    const outcome = await send(url, delivery)
    const nowMs = performance.now()
    hour.waitedMs.push(nowMs - dueMs)
    hour.calledMs.push(outcome.ms)
    const second = Math.floor((nowMs - startedMs) / 1_000)
    answers.set(second, (answers.get(second) ?? 0) + 1)
    onAnswer(delivery, outcome)
  }
  const offer = (): void => {
    const nowMs = performance.now()
    while (waiting.length > 0 && calls.size < callsMax) {
      const { source, key, dueMs } = waiting.shift()!
      if (nowMs - dueMs > lateMsMax) continue
      const delivery = createDelivery(random, source, key)
      hour.sent.push(delivery)
      const calling = call(delivery, dueMs).finally(() => {
        calls.delete(calling)
        offer()
      })
      calls.add(calling)
    }
  }

  for (let step = 0; step * stepMs < ms; step++) {
    const dueMs = startedMs + step * stepMs
    const pauseMs = dueMs - performance.now()
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const count = countDue(random, ratePerSecond((step * stepMs) / ms), stepMs / 1_000)
    for (let index = 0; index < count; index++)
      waiting.push({ source: pickSource(random, sources), key: `monday:${hour.due++}`, dueMs })
    offer()
  }
  while (calls.size > 0) await Promise.all(calls)
  hour.answersPerSecondMax = Math.max(...answers.values())
  return hour
}

/** The median and the 99th percentile. */
export function toQuantiles(ms: readonly number[]): string {
  return `${quantile(ms, 0.5).toFixed(1)}, ${quantile(ms, 0.99).toFixed(1)}`
}
