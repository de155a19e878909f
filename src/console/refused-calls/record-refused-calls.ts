import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { callPath } from '../../platform/http/requests/call-path.ts'
import type { App, Contract } from '../../platform/http/contract.ts'
import { isWrite } from '../../platform/http/requests/is-write.ts'
import { isParameter } from '../../platform/http/requests/query-parameters.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { createRefusedCallRecords } from './refused-call-records.ts'
import type { RefusedCall } from './refused-call.ts'

/**
 * Records each refused call of a company's systems, over a connection or to the address of a webhook. Calls of apps have records of
 * their own (`app-connections/record-app-calls.ts`), and a call with an invalid credential belongs to no company. To be called
 * once, on the root instance.
 */
export function recordRefusedCalls(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'shards' | 'clock' | 'log' | 'telemetry'>,
  likeCallsMs?: number,
): void {
  const refused = createRefusedCallRecords(context, likeCallsMs)
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= 400 && reply.statusCode < 500) {
      const call = toRefusedCall(request, reply, context.clock.now())
      if (call !== undefined) refused.add(call)
    }
    done()
  })
  app.addHook('onClose', () => refused[Symbol.asyncDispose]())
}

type Caller = Pick<RefusedCall, 'callerId' | 'signed' | 'channel' | 'companyId' | 'sourceId'>

function toRefusedCall(
  request: FastifyRequest,
  reply: FastifyReply,
  calledAtMs: number,
): RefusedCall | undefined {
  const { errorCode: code, errorField, routeOptions } = request
  const { url: pattern, config } = routeOptions
  // Without a code the client had disconnected.
  if (code === undefined || pattern === undefined) return undefined
  const caller = findCaller(request, pattern, code)
  return (
    caller && {
      ...caller,
      method: request.method,
      path: callPath(pattern, request.params as Record<string, string>),
      status: reply.statusCode,
      code,
      field: fieldName(errorField, isWrite(request.method) ? undefined : config.contract),
      calledAtMs,
    }
  )
}

function findCaller(request: FastifyRequest, pattern: string, code: string): Caller | undefined {
  const { refusedCaller, admission } = request
  const channel = pattern === '/v1/ingest' ? 'push' : 'read'
  if (refusedCaller !== undefined) {
    const { connectionId, companyId, sourceId } = refusedCaller
    return { callerId: connectionId, signed: true, channel, companyId, sourceId }
  }
  if (admission !== undefined) {
    const { kind, connectionId, company, source } = admission
    if (kind === 'delegated') return undefined
    const [companyId, sourceId] = [company?.companyId ?? null, source?.sourceId ?? null]
    return { callerId: connectionId, signed: true, channel, companyId, sourceId }
  }
  return pattern === '/v1/webhooks/:source_id' ? webhookCaller(request, code) : undefined
}

/** The source of an unsigned call is looked up when the record is written, so that every address costs a call the same time. */
function webhookCaller(request: FastifyRequest, code: string): Caller | undefined {
  const { source_id: sourceId } = request.params as { source_id: string }
  const { signedWebhookCompanyId: companyId } = request
  const signed = companyId !== null
  // A network that failed too often gets this for every address.
  if (!uuidPattern.test(sourceId) || (!signed && code === 'rate_limited')) return undefined
  const callerId = sourceId.toLowerCase()
  return { callerId, signed, channel: 'webhook', companyId, sourceId: callerId }
}

/**
 * The name of a field without what the caller chose, which could be anything: what follows a prefix, and unknown names. `read` is
 * the contract of a read, whose parameters may be misspelled.
 */
function fieldName(field: string | undefined, read: Contract | undefined): string | null {
  if (field === undefined || (read !== undefined && !isParameter(read, field))) return null
  const name = field.replace(/[.].*$/s, '')
  return /^[A-Za-z][A-Za-z_-]{0,63}$/.test(name) ? name : null
}
