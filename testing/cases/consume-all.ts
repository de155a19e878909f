import type { Rate } from '../../src/platform/config/config.ts'
import { intervalUs, missingUs, tokensLeft, type ConsumedRow } from '../../src/platform/rate-limit/bucket.ts'

/**
 * What the statement `rate-limit.consume-tokens` does to one bucket: takes up to `wanted` tokens, as many as there are.
 */
export function consumeAll(fullAtUs: number, nowUs: number, wanted: number, rate: Rate): ConsumedRow {
  const granted = Math.min(wanted, tokensLeft(fullAtUs, nowUs, rate))
  return { fullAtUs: nowUs + missingUs(fullAtUs, nowUs, rate) + granted * intervalUs(rate), granted }
}
