import type { Context } from '../../service/context.ts'
import { newClientId } from './app.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { insertApp } from './queries.ts'

/** Specification "Registered app"; RFC 7591, 3.2.1. */
interface RegisteredAppAnswer extends ClientMetadata {
  client_id: string
  /** Unix seconds. */
  client_id_issued_at: number
}

/**
 * Registers a public client: there is no secret. Each registration gets an id of its own, even for the same metadata.
 */
export async function registerApp(
  context: Pick<Context, 'pool' | 'clock'>,
  metadata: ClientMetadata,
): Promise<RegisteredAppAnswer> {
  const clientId = newClientId()
  const now = context.clock.now()
  await insertApp.run(context.pool, {
    clientId,
    clientName: metadata.client_name,
    redirectUris: metadata.redirect_uris,
    grantTypes: metadata.grant_types,
    responseTypes: metadata.response_types,
    registeredAt: new Date(now),
  })
  return { client_id: clientId, client_id_issued_at: Math.floor(now / 1_000), ...metadata }
}
