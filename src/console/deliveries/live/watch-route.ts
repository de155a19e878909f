import type { FastifyReply } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { DirectoryContext } from '../../../context.ts'
import { requireRole } from '../../../people/members/require-role.ts'
import { idleSince } from '../../../people/sessions/session.ts'
import { readCookie } from '../../../people/sessions/session-cookie.ts'
import { byteaArray, uuidArray } from '../../../platform/database/binary-array.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { hashSecret } from '../../../platform/keys/secrets.ts'
import { watchDeliveriesContract } from '../contract.ts'
import { findChanges } from './find-changes.ts'
import type { GetReader, LogStates } from './log-states.ts'
import { createOpenPages, type OpenPage } from './open-pages.ts'
import { selectAllowedPages } from './queries.ts'

/** Bytes of events that a page has not received yet. Beyond it the page is disconnected, and opens the stream again. */
const unsentBytesMax = 16_384

/** Begins a stream of events as the answer. */
function openStream(reply: FastifyReply): { raw: ServerResponse; send: (text: string) => void } {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    // nginx would buffer events otherwise.
    'x-accel-buffering': 'no',
  })
  const send = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > unsentBytesMax) raw.destroy()
    else raw.write(text)
  }
  // Writing to a page that disconnected is not a fault; `close` follows.
  raw.on('error', () => {})
  return { raw, send }
}

/** A page with the session that it was opened in. */
interface SessionPage extends OpenPage {
  sessionHash: Buffer
}

/** Notifies pages of changes to their company's deliveries (docs/decisions/pages.md). */
export function registerWatchRoute(
  app: App,
  context: DirectoryContext,
  states: LogStates,
  getReader: GetReader,
): void {
  const pages = createOpenPages<SessionPage>({
    getState: (companyId) => states.now(companyId),
    changesBetween: async (companyId, before, after) => {
      const { pool, limit } = await getReader(companyId)
      return limit(companyId, () => findChanges(pool, companyId, before, after))
    },
    findAllowed: async (open) => {
      const rows = await selectAllowedPages.rows(context.pool, {
        sessionHashes: byteaArray(open.map((page) => page.sessionHash)),
        companyIds: uuidArray(open.map((page) => page.companyId)),
        at: new Date(context.clock.now()),
        activeAfter: idleSince(context),
      })
      return new Set(rows.map(({ place }) => open[place - 1]!))
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
      const state = await states.now(companyId)
      const sessionHash = hashSecret(readCookie(context.config, request, 'numera_session')!)
      let stream: ReturnType<typeof openStream> | undefined
      const page: SessionPage = {
        companyId,
        memberId: session.memberId,
        sessionHash,
        // The answer begins with the first event: until the page is accepted it may still be an error.
        send: (text) => (stream ??= openStream(reply)).send(text),
        end: () => stream?.raw.end(),
      }
      // The client disconnected during authorization.
      if (request.raw.socket.destroyed) return reply.hijack()
      reply.raw.once('close', () => pages.close(page))
      pages.open(page, state)
      return reply
    },
  )
}
