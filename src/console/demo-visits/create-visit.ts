import type { Rate } from '../../platform/config/config.ts'
import { addVisitConnection } from '../../company/connections/add-visit-connection.ts'
import { clientNetwork, widerNetwork } from '../../platform/http/requests/client-network.ts'
import { ApiError, conflict } from '../../platform/http/errors/errors.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import type { DirectoryContext } from '../../context.ts'
import { createSource } from '../../company/sources/create-source.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { setLimits } from '../../engine/usage/set-limits.ts'
import { addVisitCompany, visitLimits } from './visit-company.ts'

/** How long a visitor's credential works, in milliseconds. */
export const visitLifetimeMs = 60 * 60_000

/** Visits of one client network. */
export const visitNetworkRate: Rate = { perMinute: 0.2, burst: 5 }

/** Visits of one wider network, which may have many client networks: a quarter of the deployment's. */
export const visitWiderNetworkRate: Rate = { perMinute: 0.25, burst: 10 }

/** Visits of the whole deployment. Each lasts an hour, so at most 100 are active. */
export const visitRate: Rate = { perMinute: 1, burst: 40 }

/** The declaration of the documents' first steps. */
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
  source_id: string
  /** Of a sandbox connection that is bound to the source. */
  credential: string
  expires_at: Date
}

type VisitContext = Pick<DirectoryContext, 'pool' | 'shards' | 'clock' | 'keys' | 'config'>

async function limitVisits(context: VisitContext, address: string): Promise<void> {
  const message = 'There were too many visits; wait as long as Retry-After says.'
  // In this order, so that one network uses no more of the deployment's rate than its own allows.
  await enforceRate(context, `demo_visit ${clientNetwork(address)}`, visitNetworkRate, message)
  await enforceRate(context, `demo_visit_wider ${widerNetwork(address)}`, visitWiderNetworkRate, message)
  await enforceRate(context, 'demo_visit all', visitRate, message)
}

/**
 * Creates a source for a visitor of a demo deployment to try a push with, and a sandbox credential for it that works for an hour.
 * Nothing else reads what they send.
 *
 * @param address of the client
 * @throws 429 `rate_limited`; 409 `conflict` if the demo has had all visits that it allows until its next reset
 */
export async function createVisit(context: VisitContext, address: string): Promise<Visit> {
  await limitVisits(context, address)
  const companyId = await addVisitCompany(context).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    throw conflict('The demo has had all visits that it allows until its next reset.')
  })
  const at = await context.shards.ofCompany(companyId)
  await setLimits(at, companyId, visitLimits)
  const { source } = await createSource(at, 'operator', companyId, {
    name: 'Visit',
    systemKind: 'your own',
    channel: 'push',
    format: null,
    declaration,
  })
  const { sourceId } = source
  const expires_at = new Date(context.clock.now() + visitLifetimeMs)
  return {
    source_id: sourceId,
    credential: await addVisitConnection(context, companyId, sourceId, expires_at),
    expires_at,
  }
}
