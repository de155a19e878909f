/*
 * When an attempt is repeated. Source: specification, "Errors" (retry rules) and "Events" (sender retry contract).
 */

/** How long to wait between attempts. */
export interface Backoff {
  firstMs: number
  /** It doubles up to this. */
  maxMs: number
  /** Part of the pause that is random: added where positive, taken off where negative. */
  jitter: number
  /** A 429 with `Retry-After` waits for exactly that, and does not lengthen the next pause. */
  exactRetryAfter: boolean
  /** No attempt begins later than this after the first one. */
  giveUpAfterMs: number
}

/** Calls of `/v1`: 1, 2, 4, 8 … 60 s. */
export const callBackoff: Backoff = {
  firstMs: 1000,
  maxMs: 60_000,
  jitter: 0.25,
  exactRetryAfter: false,
  giveUpAfterMs: 15 * 60_000,
}

/** Webhooks: 30 s doubling to an hour, for three days. */
export const webhookBackoff: Backoff = {
  firstMs: 30_000,
  maxMs: 3_600_000,
  jitter: -0.2,
  exactRetryAfter: true,
  giveUpAfterMs: 3 * 24 * 3_600_000,
}

/** What came of one attempt. */
export interface Outcome {
  /** Null if there was no answer, or only part of one. */
  status: number | null
  /**
   * Whether the body is what an answer of this status has: a receipt, the JSON of a read, an error in JSON. Anything else comes
   * from something on the way, and says nothing about the delivery.
   */
  readable: boolean
  /** From `Retry-After`. */
  retryAfterMs?: number | undefined
}

export interface Progress {
  /** Pauses so far. */
  pauses: number
  elapsedMs: number
  /** 0 to 1, without 1. */
  random: number
}

export type Step =
  /** The answer is what was asked for. */
  | { do: 'accept' }
  /** The same request would get the same answer. */
  | { do: 'refuse' }
  /** The same again, after `ms`. `counts`: the next pause is longer. */
  | { do: 'wait'; ms: number; counts: boolean }
  /** As `wait`, but that would be too late. */
  | { do: 'give_up'; ms: number }

export function nextStep(backoff: Backoff, outcome: Outcome, { pauses, elapsedMs, random }: Progress): Step {
  const { status, readable, retryAfterMs } = outcome
  if (status !== null && readable) {
    if ((status >= 200 && status < 300) || status === 304) return { do: 'accept' }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { do: 'refuse' }
  }
  const isExact = backoff.exactRetryAfter && status === 429 && retryAfterMs !== undefined
  const pause = Math.min(backoff.firstMs * 2 ** pauses, backoff.maxMs)
  const jittered = Math.max(retryAfterMs ?? 0, pause) + Math.round(pause * backoff.jitter * random)
  const ms = isExact ? retryAfterMs : Math.max(jittered, retryAfterMs ?? 0)
  if (elapsedMs + ms > backoff.giveUpAfterMs) return { do: 'give_up', ms }
  return { do: 'wait', ms, counts: !isExact }
}

/**
 * `Retry-After` (RFC 9110 section 10.2.3) in milliseconds: seconds, or a date, counted from `nowMs`. Undefined where it is missing or
 * neither.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - nowMs, 0)
}
