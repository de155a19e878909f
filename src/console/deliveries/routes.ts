import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import type { Reads } from '../../platform/reads/reads.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import type { Period } from '../../formats/values/period.ts'
import type { ReportValueRequest } from '../values/report-value.ts'
import { queryFilter, queryTexts } from '../values/query-filter.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { listDeliveriesContract, listLastDeliveriesContract, showDeliveryReportContract } from './contract.ts'
import {
  listChangedSamplesContract,
  showDeliveryRefusalsContract,
  showDeliveryRowsContract,
} from './content/contract.ts'
import { listValueRowsContract, showDifferenceContract } from './content/value-contract.ts'
import { readValueRows } from './content/value-rows.ts'
import { showDifference } from './content/show-difference.ts'
import { readDeliveryFilter } from './search/delivery-filter.ts'
import { lastDeliveries } from './search/last-deliveries.ts'
import { listChangedSamples } from './content/list-changed-samples.ts'
import { listDeliveries } from './search/list-deliveries.ts'
import { createLogStates, type GetReader, type LogStates } from './live/log-states.ts'
import { registerWatchRoute } from './live/watch-route.ts'
import { showDeliveryInFull } from './show-delivery-in-full.ts'
import { showDeliveryRows, showRefusals } from './content/show-delivery-rows.ts'
import type { ContentContext } from './content/stored-delivery.ts'

/** Rendered lists that one process caches, in bytes. */
const listCacheBytesMax = 16_777_216

/** Deliveries, for the developer page. */
export async function registerDeliveryLogRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  // Reads have connections of their own: they take none from pushes.
  const getReader: GetReader = async (companyId) => {
    const { readPool: pool } = await context.shards.ofCompany(companyId)
    return { pool, limit: app.reads.limitOn(pool) }
  }
  const states = createLogStates(getReader)
  registerListRoutes(app, context, states, getReader)
  registerWatchRoute(app, context, states, getReader)
  registerDeliveryRoutes(app, context, getReader)
}

/** Answers with a list that is valid for one state of a company's deliveries, cached if it was rendered before. */
function createAnswerByState(states: LogStates, { send }: Reads) {
  const cache = createAnswerCache(listCacheBytesMax)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: string,
    list: () => Promise<object>,
  ): Promise<FastifyReply> => {
    // A page without a tag has just been opened, and its list has to be current.
    const isFirst = request.headers['if-none-match'] === undefined
    const { etag } = await (isFirst ? states.now(companyId) : states.recent(companyId))
    return send({ request, reply, companyId }, etag, async () => {
      const { bytes } = await cache.get(`${companyId} ${request.raw.url}`, etag, async () => ({
        bytes: Buffer.from(JSON.stringify(await list())),
        etag,
      }))
      return bytes
    })
  }
}

function registerListRoutes(
  app: App,
  context: DirectoryContext,
  states: LogStates,
  getReader: GetReader,
): void {
  const answer = createAnswerByState(states, app.reads)

  app.get(
    '/console/companies/:company_id/deliveries',
    route(listDeliveriesContract),
    async (request, reply) => {
      const { session, params, query } = request
      const { companyId, timeZone } = await requireRole(context.pool, session, params.company_id, 'developer')
      const filter = readDeliveryFilter(query, timeZone)
      return answer(request, reply, companyId, async () => {
        const page = toPageRequest(query)
        const { limit, ...on } = await getReader(companyId)
        const list = await limit(companyId, () => listDeliveries(on, companyId, filter, page))
        const { items, count, searchedTo, nextCursor } = list
        return { deliveries: items, count, searched_to: searchedTo, next_cursor: nextCursor }
      })
    },
  )

  app.get(
    '/console/companies/:company_id/last-deliveries',
    route(listLastDeliveriesContract),
    async (request, reply) => {
      const { session, params, query } = request
      const { companyId } = await requireRole(context.pool, session, params.company_id, 'developer')
      return answer(request, reply, companyId, async () => {
        const { limit, ...on } = await getReader(companyId)
        const page = await limit(companyId, () =>
          lastDeliveries(on, companyId, query.sandbox === 'true', toPageRequest(query)),
        )
        return { deliveries: page.items, next_cursor: page.nextCursor }
      })
    },
  )
}

function registerDeliveryRoutes(app: App, context: DirectoryContext, getReader: GetReader): void {
  const getContents = async (companyId: string): Promise<ContentContext> => ({
    ...(await getReader(companyId)),
    threads: app.contentThreads,
  })
  const single = '/console/companies/:company_id/deliveries/:artifact_id'

  app.get(single, route(showDeliveryReportContract), async ({ session, params }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    const { company_id: companyId, artifact_id: artifactId } = params
    const { limit, ...on } = await getReader(companyId)
    return limit(companyId, () => showDeliveryInFull(on, companyId, artifactId))
  })

  app.get(`${single}/rows`, route(showDeliveryRowsContract), async ({ session, params, query }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    const page = { ...toPageRequest(query), refusedOnly: query.refused === 'true' }
    return showDeliveryRows(await getContents(params.company_id), params.company_id, params.artifact_id, page)
  })

  app.get(`${single}/refusals`, route(showDeliveryRefusalsContract), async ({ session, params }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    return showRefusals(await getContents(params.company_id), params.company_id, params.artifact_id)
  })

  app.get(`${single}/samples`, route(listChangedSamplesContract), async ({ session, params, query }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    return listChangedSamples(
      await getContents(params.company_id),
      params.company_id,
      params.artifact_id,
      toPageRequest(query),
    )
  })
  app.get(`${single}/value-rows`, route(listValueRowsContract), async ({ session, params, query }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    const request = { ...toPageRequest(query), ...toFigureRequest(query) }
    return readValueRows(await getContents(params.company_id), params.company_id, params.artifact_id, request)
  })

  app.get(`${single}/difference`, route(showDifferenceContract), async ({ session, params, query }) => {
    await requireRole(context.pool, session, params.company_id, 'developer')
    const key = queryTexts(query as RawQuery, 'key')
    const request = { ...toPageRequest(query), ...toFigureRequest(query), with: query.with, key }
    return showDifference(
      await getContents(params.company_id),
      params.company_id,
      params.artifact_id,
      request,
    )
  })
}

function toFigureRequest(query: {
  metric: string
  period_start: string
  grain?: Period
}): ReportValueRequest {
  return {
    metric: queryText(query as RawQuery, 'metric')!,
    periodStart: query.period_start,
    grain: query.grain,
    filter: queryFilter(query as RawQuery, 'label.'),
    except: queryFilter(query as RawQuery, 'not.'),
  }
}
