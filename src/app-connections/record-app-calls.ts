import type { Context } from '../service/context.ts'
import type { App } from '../http/contract.ts'
import { callPath } from '../http/call-path.ts'
import { createCallRecords } from './call-records.ts'

/**
 * Keeps a record of each call of an app that was answered, refused ones too, once it has been (specification, "Delegated
 * access", 5). Call it once, on the root instance.
 */
export function recordAppCalls(app: App, context: Pick<Context, 'pool' | 'log' | 'telemetry'>): void {
  const records = createCallRecords(context)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.appCaller !== undefined) {
      const { connectionId, pattern, companyId, calledAtMs } = request.appCaller
      records.add({
        connectionId,
        companyId,
        method: request.method,
        path: callPath(pattern, request.params as Record<string, string>),
        status: reply.statusCode,
        code: request.errorCode ?? null,
        calledAtMs,
      })
    }
    done()
  })
  // By then every call that was begun has been answered.
  app.addHook('onClose', () => records[Symbol.asyncDispose]())
}
