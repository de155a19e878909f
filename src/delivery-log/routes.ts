import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { requireRole } from '../companies/require-role.ts'
import { byteaArray, uuidArray } from '../database/binary-array.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { invalidArgument, notFound } from '../http/errors.ts'
import { isKnownTag } from '../http/is-known-tag.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { createAnswerCache } from '../samples/answer-cache.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { idleSince } from '../sessions/session.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { createContentThreads } from './content-threads.ts'
import {
  listChangedSamplesContract,
  listDeliveriesContract,
  listLastDeliveriesContract,
  showDeliveryReportContract,
  showDeliveryRowsContract,
  watchDeliveriesContract,
} from './contract.ts'
import { deliveryAnswer, deliveryInFullAnswer } from './delivery-answer.ts'
import { readDeliveryFilter } from './delivery-filter.ts'
import { lastDeliveries } from './last-deliveries.ts'
import { listChangedSamples, type ChangedSample } from './list-changed-samples.ts'
import { listDeliveries, type DeliveryList } from './list-deliveries.ts'
import { createLogVersions, type LogVersions } from './log-version.ts'
import { createOpenPages, type OpenPage } from './open-pages.ts'
import { selectMayLook } from './queries.ts'
import { showDeliveryInFull } from './show-delivery-in-full.ts'
import { showDeliveryRows, type DeliveryRows } from './show-delivery-rows.ts'
import type { ContentContext } from './stored-delivery.ts'

/** Rendered lists that are kept for pages that ask for the same, bytes of a process. */
export const listCacheBytesMax = 16_777_216

/** What the developer page shows of deliveries. */
export async function registerDeliveryLogRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)
  const versions = createLogVersions(context.readPool, app.reads.limit)
  registerListRoutes(app, context, versions)
  registerWatchRoute(app, context, versions)
  registerDeliveryRoutes(app, context)
}

/**
 * Answers what is valid for one version of a company's deliveries, from the cache where it is there; 304 to those who have
 * it.
 */
function createAnswerByVersion(versions: LogVersions, hold: App['reads']['hold']) {
  const cache = createAnswerCache(listCacheBytesMax)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: string,
    render: () => Promise<object>,
  ): Promise<FastifyReply> => {
    const known = request.headers['if-none-match']
    // Who has nothing yet gets what is true now.
    const version = await (known === undefined ? versions.now(companyId) : versions.recent(companyId))
    const etag = `"${version}"`
    reply.header('etag', etag)
    if (isKnownTag(known, etag)) return reply.code(304).send()
    const { bytes } = await cache.get(`${companyId} ${request.raw.url}`, version, async () => {
      return { bytes: Buffer.from(JSON.stringify(await render())), etag }
    })
    hold(reply.raw, companyId, bytes)
    return reply.type('application/json; charset=utf-8').send(bytes)
  }
}

function registerListRoutes(app: App, context: Context, versions: LogVersions): void {
  // Reads have connections of their own: they take none from pushes.
  const on = { pool: context.readPool }
  const { limit, hold } = app.reads
  const answer = createAnswerByVersion(versions, hold)

  app.get(
    '/console/companies/:company_id/deliveries',
    route(listDeliveriesContract),
    async (request, reply) => {
      const { session, params, query } = request
      const { companyId, timeZone } = await requireRole(context.pool, session, params.company_id, 'developer')
      const filter = readDeliveryFilter(query, timeZone)
      return answer(request, reply, companyId, async () =>
        listAnswer(await limit(companyId, () => listDeliveries(on, companyId, filter, pageRequestOf(query)))),
      )
    },
  )

  app.get(
    '/console/companies/:company_id/last-deliveries',
    route(listLastDeliveriesContract),
    async (request, reply) => {
      const { session, params, query } = request
      const { companyId } = await requireRole(context.pool, session, params.company_id, 'developer')
      return answer(request, reply, companyId, async () => {
        const page = await limit(companyId, () =>
          lastDeliveries(on, companyId, query.sandbox === 'true', pageRequestOf(query)),
        )
        return { deliveries: page.items.map(deliveryAnswer), next_cursor: page.nextCursor }
      })
    },
  )
}

/** What a page may be behind in taking its events, bytes; then it is cut off, and opens the stream again. */
export const unsentBytesMax = 16_384

/** Begins a stream of events on an answer, and says how to write to it. */
function openStream(reply: FastifyReply): { raw: ServerResponse; send: (text: string) => void } {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    // nginx would gather events otherwise.
    'x-accel-buffering': 'no',
  })
  const send = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > unsentBytesMax) raw.destroy()
    else raw.write(text)
  }
  // Writing to a page that has gone is no fault: `close` tells that it went.
  raw.on('error', () => {})
  return { raw, send }
}

/** A page, by the session that it was opened in. */
interface SessionPage extends OpenPage {
  sessionHash: Buffer
}

/** Tells pages when their company's deliveries have changed (docs/decisions/pages.md). */
function registerWatchRoute(app: App, context: Context, versions: LogVersions): void {
  const pages = createOpenPages<SessionPage>({
    versionOf: (companyId) => versions.now(companyId),
    whoMayLook: async (asked) => {
      const rows = await selectMayLook.rows(context.pool, {
        sessionHashes: byteaArray(asked.map((page) => page.sessionHash)),
        companyIds: uuidArray(asked.map((page) => page.companyId)),
        at: new Date(context.clock.now()),
        activeAfter: idleSince(context),
      })
      return new Set(rows.map(({ place }) => asked[place - 1]!))
    },
  })
  // Before the server waits for its connections to end.
  app.addHook('preClose', (done) => {
    pages[Symbol.dispose]()
    done()
  })
  const { schema, config } = route(watchDeliveriesContract)

  app.get(
    '/console/companies/:company_id/deliveries/events',
    { schema, config: { ...config, staysOpen: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const { session, params } = request
      const { companyId } = await requireRole(context.pool, session, params.company_id, 'developer')
      if (request.headers.accept?.includes('text/event-stream') !== true) {
        throw invalidArgument('This is a stream of events: send Accept: text/event-stream.', 'Accept')
      }
      const version = await versions.now(companyId)
      const sessionHash = hashSecret(readCookie(context.config, request, 'numera_session')!)
      let stream: ReturnType<typeof openStream> | undefined
      const page: SessionPage = {
        companyId,
        memberId: session.memberId,
        sessionHash,
        // Begun with the first event: until the page has its place it may be answered otherwise.
        send: (text) => (stream ??= openStream(reply)).send(text),
        end: () => stream?.raw.end(),
      }
      // Gone while it was found out who they are: there is no one to tell.
      if (request.raw.socket.destroyed) return reply.hijack()
      reply.raw.once('close', () => pages.close(page))
      pages.open(page, version)
      return reply
    },
  )
}

function registerDeliveryRoutes(app: App, context: Context): void {
  const { limit } = app.reads
  const threads = createContentThreads()
  app.addHook('onClose', () => threads.close())
  const on: ContentContext = { pool: context.readPool, limit, threads }

  app.get(
    '/console/companies/:company_id/deliveries/:artifact_id',
    route(showDeliveryReportContract),
    async ({ session, params }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const { company_id: companyId, artifact_id: artifactId } = params
      const delivery = await limit(companyId, () => showDeliveryInFull(on, companyId, artifactId))
      if (delivery === undefined) throw notFound()
      return deliveryInFullAnswer(delivery)
    },
  )

  app.get(
    '/console/companies/:company_id/deliveries/:artifact_id/rows',
    route(showDeliveryRowsContract),
    async ({ session, params, query }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const refusedOnly = query.refused === 'true'
      const rows = await showDeliveryRows(on, params.company_id, params.artifact_id, {
        ...pageRequestOf(query),
        refusedOnly,
      })
      return rowsAnswer(rows)
    },
  )

  app.get(
    '/console/companies/:company_id/deliveries/:artifact_id/samples',
    route(listChangedSamplesContract),
    async ({ session, params, query }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const { company_id: companyId, artifact_id: artifactId } = params
      const { items, count, nextCursor } = await listChangedSamples(
        on,
        companyId,
        artifactId,
        pageRequestOf(query),
      )
      return { samples: items.map(changedSampleAnswer), count, next_cursor: nextCursor }
    },
  )
}

function listAnswer(list: DeliveryList) {
  return {
    deliveries: list.items.map(deliveryAnswer),
    count: list.count,
    searched_to: list.searchedTo,
    next_cursor: list.nextCursor,
  }
}

function rowsAnswer(rows: DeliveryRows) {
  return {
    fields: rows.fields.map(({ name, type, isMasked }) => ({ name, type, personal: isMasked })),
    rows: rows.items.map(({ refusal, ...shown }) => ({
      ...shown,
      refusal: refusal && { field: refusal.field ?? null, code: refusal.code, reason: refusal.reason },
    })),
    refusals_known_to: rows.refusalsKnownTo,
    broken: rows.broken,
    next_cursor: rows.nextCursor,
  }
}

function changedSampleAnswer(sample: ChangedSample) {
  return {
    metric: sample.metric,
    period: sample.period,
    period_start: sample.periodStart,
    labels: sample.labels,
    before: sample.before,
    gave: sample.gave,
    rows: sample.rows,
    added: sample.added,
    after: sample.after,
    superseded: sample.superseded,
  }
}
