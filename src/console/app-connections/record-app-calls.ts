import type { DirectoryContext } from '../../context.ts'
import type { App } from '../../platform/http/contract.ts'
import { callPath } from '../../platform/http/requests/call-path.ts'
import { createCallRecords } from './call-records.ts'

/**
 * Records each answered call of an app, including refused ones (specification, "Delegated access", 5). To be called once, on the
 * root instance.
 */
export function recordAppCalls(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'log' | 'telemetry'>,
  everyMs?: number,
): void {
  const records = createCallRecords(context, everyMs === undefined ? {} : { everyMs })
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
  // By then every call has been answered.
  app.addHook('onClose', () => records[Symbol.asyncDispose]())
}
