import type { Rate } from '../config/config.ts'
import { addVisitConnection } from '../connections/add-visit-connection.ts'
import { clientNetwork, widerNetwork } from '../http/client-network.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { consume } from '../rate-limit/consume.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'
import { createSource } from '../sources/create-source.ts'
import type { Declaration } from '../sources/declaration.ts'
import { addVisitCompany } from './visit-company.ts'

/** How long a visitor's credential works, in milliseconds. Then it is 401. */
export const visitLifetimeMs = 60 * 60_000

/** Visits of one client network. Beyond it 429. */
export const visitNetworkRate: Rate = { perMinute: 0.2, burst: 5 }

/** Visits of one wider network, which may have many client networks: a quarter of the deployment's. Beyond it 429. */
export const visitWiderNetworkRate: Rate = { perMinute: 0.25, burst: 10 }

/** Visits of the whole deployment. Beyond it 429. Since each lasts an hour, at most 100 last at the same time. */
export const visitRate: Rate = { perMinute: 1, burst: 40 }

/** As the first steps of the documents have it. */
const declaration: Declaration = {
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
  ],
  event_time: 'at',
  delivers: 'events',
  metrics: [
    {
      metric: 'revenue',
      aggregation: 'sum',
      field: 'amount',
      filters: [],
      group_by: ['country'],
      period: 'day',
    },
  ],
}

export interface Visit {
  sourceId: string
  /** Of a sandbox connection that is bound to the source. */
  credential: string
  expiresAt: Date
}

type VisitContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'config'>

async function limitVisits({ pool, clock }: VisitContext, address: string): Promise<void> {
  const limits: [subject: string, rate: Rate][] = [
    [`demo_visit ${clientNetwork(address)}`, visitNetworkRate],
    [`demo_visit_wider ${widerNetwork(address)}`, visitWiderNetworkRate],
    ['demo_visit all', visitRate],
  ]
  // In this order, so that one network takes no more from the deployment than its own limit allows.
  for (const [subject, rate] of limits) {
    const { granted, retryAfterSeconds } = await consume(pool, subject, rate, clock.now())
    if (granted) continue
    throw rateLimited(retryAfterSeconds, {
      message: 'There were too many visits; wait as long as Retry-After says.',
    })
  }
}

/**
 * Gives a visitor of a demo deployment a source of their own, and a sandbox credential for it that works for an hour:
 * for trying a push. Nobody else reads what they send with it.
 *
 * @param address of the client
 * @throws 429 `rate_limited`; 409 `conflict` where the demo has had as many visits as it allows until its next reset
 */
export async function makeVisit(context: VisitContext, address: string): Promise<Visit> {
  await limitVisits(context, address)
  const companyId = await addVisitCompany(context).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    throw conflict('The demo has had as many visits as it allows until its next reset.')
  })
  const { source } = await createSource(context, 'operator', companyId, {
    name: 'Visit',
    systemKind: 'your own',
    deliveryWay: 'push',
    documentFormat: null,
    declaration,
  })
  const { sourceId } = source
  const expiresAt = new Date(context.clock.now() + visitLifetimeMs)
  return {
    sourceId,
    credential: await addVisitConnection(context, companyId, sourceId, expiresAt),
    expiresAt,
  }
}
