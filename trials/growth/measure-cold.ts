import { quantile } from '../deployment/calls.ts'
import type { TrialContext } from '../trial.ts'
import { createDelivery, send, type Sent } from './hour.ts'

const companiesLong = 300
const companiesShort = 30

/**
 * The first and the second call of companies whose pages the database has not read since it started, one after the other.
 * The operating system may still have them in its cache.
 */
export async function measureCold(
  context: TrialContext,
  url: string,
  sources: number,
): Promise<Sent[]> {
  const random = context.random('cold')
  const sent: Sent[] = []
  const [firstMs, secondMs]: [number[], number[]] = [[], []]
  for (let index = 0; index < (context.short ? companiesShort : companiesLong); index++) {
    const source = random.integer(0, sources - 1)
    for (const ms of [firstMs, secondMs]) {
      const delivery = createDelivery(random, source, `cold:${sent.length}`)
      sent.push(delivery)
      ms.push((await send(url, delivery)).ms)
    }
  }
  const toText = (ms: readonly number[]): string =>
    `${quantile(ms, 0.5).toFixed(1)}, ${quantile(ms, 0.99).toFixed(1)}`
  context.measure(
    'median and p99 of a push, ms: the first of a company since the database started, its second',
    `${toText(firstMs)}; ${toText(secondMs)}`,
  )
  return sent
}
