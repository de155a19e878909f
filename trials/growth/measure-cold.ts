import type { TrialContext } from '../trial.ts'
import { createDelivery, send, type Sent, toQuantiles } from './hour.ts'

const companiesLong = 300
const companiesShort = 30

/**
 * The first and the second call of companies whose pages the database has not read since it started, one after the other.
 * The operating system may still have them in its cache.
 */
export async function measureCold(context: TrialContext, url: string, sources: number): Promise<Sent[]> {
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
  context.measure(
    'median and p99 of a push, ms: the first of a company since the database started, its second',
    `${toQuantiles(firstMs)}; ${toQuantiles(secondMs)}`,
  )
  return sent
}
