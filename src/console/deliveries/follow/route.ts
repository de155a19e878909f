import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../../context.ts'
import { createShareLimiter } from '../../../platform/database/share-limiter.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { pageRows } from '../../../platform/http/pagination.ts'
import { queryText, type RawQuery } from '../../../platform/http/requests/query-text.ts'
import type { Admission } from '../../../people/access/admission.ts'
import { queryPage } from '../../../engine/samples/samples-query.ts'
import { followDeliveriesContract, waitSecondsMax } from './contract.ts'
import { findChanged, type FollowingCall } from './look.ts'
import { readCursor, startOfDeliveries, writeCursor, type Position } from './position.ts'
import type { FollowedSource } from './queries.ts'
import {
  deliveryStates,
  findNewestPosition,
  readFollowed,
  type DeliveryState,
  type FollowedDeliveries,
  type FollowRequest,
} from './read-followed.ts'
import { companyWaitsMax, createWaits } from './waits.ts'

/** Calls that read at the same time; and of one company. */
const readingMax = 8
const companyReadingMax = 4

function readWait(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^[0-9]{1,2}$/.test(text) && Number(text) <= waitSecondsMax) return Number(text)
  throw invalidArgument(`wait must be a whole number of seconds from 0 to ${waitSecondsMax}.`, 'wait')
}

function readState(text: string | undefined): DeliveryState | undefined {
  if (text === undefined) return undefined
  const state = deliveryStates.find((known) => known === text)
  if (state === undefined)
    throw invalidArgument(`state must be one of ${deliveryStates.join(', ')}.`, 'state')
  return state
}

interface FollowQuery extends FollowRequest {
  /** Undefined: from now on. */
  from: Position | undefined
  waitMs: number
}

function readQuery(query: RawQuery): FollowQuery {
  const after = queryText(query, 'after')
  return {
    from: after === undefined ? startOfDeliveries : after === 'now' ? undefined : readCursor(after),
    state: readState(queryText(query, 'state')),
    limit: pageRows(queryPage(query)).limit,
    waitMs: readWait(queryText(query, 'wait')) * 1_000,
  }
}

/** A signal that aborts when the client of a call disconnects. */
function onDisconnect({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}

interface Reader {
  read(admission: Admission, query: FollowQuery): Promise<FollowedDeliveries>
  /** Reads once for all whose wait behind the same position ended at the same time. */
  readShared(admission: Admission, query: FollowQuery & { from: Position }): Promise<FollowedDeliveries>
}

function createReader({ reads: { limitOn } }: App, { clock, shards }: DirectoryContext): Reader {
  // Hundreds may begin, or hear of a change, at the same time: more than may wait for a turn among other reads.
  const inTurn = createShareLimiter({
    runningMax: readingMax,
    callerRunningMax: companyReadingMax,
    callerWaitingMax: companyWaitsMax,
  })

  const read: Reader['read'] = (admission, { from, ...requested }) => {
    const { companyId, shard } = admission.company!
    const { readPool } = shards.get(shard)
    const source = toFollowedSource(admission)
    const readNow = async (): Promise<FollowedDeliveries> => {
      if (from !== undefined) return readFollowed(readPool, source, from, requested, clock.now())
      const position = await findNewestPosition(readPool, source, clock.now())
      return { deliveries: [], position, more: false }
    }
    return inTurn(companyId, () => limitOn(readPool)(companyId, readNow))
  }
  const reading = new Map<string, Promise<FollowedDeliveries>>()
  const readShared: Reader['readShared'] = (admission, query) => {
    const { sourceId, sandbox } = toFollowedSource(admission)
    const key = [sourceId, sandbox, writeCursor(query.from), query.limit, query.state].join(' ')
    const shared = reading.get(key) ?? read(admission, query).finally(() => reading.delete(key))
    reading.set(key, shared)
    return shared
  }
  return { read, readShared }
}

/** Deliveries of a source with their outcomes, for those who follow them (docs/guides/push.md). */
export async function registerFollowRoute(app: App, context: DirectoryContext): Promise<void> {
  const { shards } = context
  const { limitOn } = app.reads
  const waits = createWaits<FollowingCall>({
    look: async (companyId, calls) => {
      const { readPool } = await shards.ofCompany(companyId)
      return limitOn(readPool)(companyId, () => findChanged(readPool, companyId, calls))
    },
  })
  // Before the server waits for its connections to end.
  app.addHook('preClose', (done) => {
    waits[Symbol.dispose]()
    done()
  })
  const { read, readShared } = createReader(app, context)

  /** Waits behind what was read, and reads on; undefined once the client has disconnected. */
  const waitAndRead = async (
    { admission, readmit }: FastifyRequest,
    query: FollowQuery,
    found: FollowedDeliveries,
    gone: AbortSignal,
  ): Promise<FollowedDeliveries | undefined> => {
    const { connectionId } = admission
    const untilMs = performance.now() + query.waitMs
    let latest = found
    while (latest.deliveries.length === 0 && !latest.more) {
      const from = latest.position
      const call = { ...toFollowedSource(admission), connectionId, position: from }
      const isChanged = await waits.wait(call, Math.max(0, untilMs - performance.now()), gone)
      if (gone.aborted) return undefined
      const current = await readmit()
      if (!isChanged) break
      latest = await readShared(current, { ...query, from })
    }
    return latest
  }

  const { schema, config } = route(followDeliveriesContract)
  const options = { schema, config: { ...config, staysOpen: true } }
  app.get('/v1/deliveries', options, async (request, reply) => {
    const query = readQuery(request.query as RawQuery)
    const found = await read(request.admission, query)
    if (query.waitMs === 0) return toAnswer(request.admission, found)
    const latest = await waitAndRead(request, query, found, onDisconnect(reply))
    return latest === undefined ? reply.hijack() : toAnswer(request.admission, latest)
  })
}

function toFollowedSource({ company, source, sandbox }: Admission): FollowedSource {
  return { companyId: company!.companyId, sourceId: source!.sourceId, sandbox }
}

function toAnswer({ source, sandbox }: Admission, { deliveries, position, more }: FollowedDeliveries) {
  return {
    deliveries: deliveries.map((row) => ({
      artifact_id: row.artifact_id,
      source_id: source!.sourceId,
      state: row.state ?? 'queued',
      reason: row.reason,
      received_at: row.received_at,
      shape_version: row.shape_version,
      delivers: row.delivers,
      sandbox,
      rows_accepted: row.rows_accepted,
      rows_refused: row.rows_refused,
      rows_date_alone: row.rows_date_alone,
    })),
    cursor: writeCursor(position),
    more,
  }
}
