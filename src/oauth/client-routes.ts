import type { Context } from '../service/context.ts'
import type { App } from '../http/contract.ts'
import { parseForms } from './client/client-request.ts'
import { createClientRequestLimiter } from './client/limit-client-requests.ts'
import { registerRevokeRoute } from './revoke/route.ts'
import { registerTokenRoute } from './token/route.ts'

/** The endpoints that clients send forms to, which share a limit. */
export async function registerClientRoutes(app: App, context: Context): Promise<void> {
  parseForms(app)
  const limitRequest = createClientRequestLimiter(context)
  registerTokenRoute(app, context, limitRequest)
  registerRevokeRoute(app, context, limitRequest)
}
