import { callbackPath, referenceClientId } from '../../http/docs-origin.ts'
import type { Context } from '../../service/context.ts'
import { upsertApp } from './queries.ts'

/**
 * The interactive reference as an app of a demo deployment, so that an app's flow can be tried in it. It is the only app
 * whose tokens the reference takes, and no other deployment has it. Adding it again records a use.
 */
export async function addReferenceApp(context: Pick<Context, 'pool' | 'clock' | 'config'>): Promise<void> {
  await upsertApp.run(context.pool, {
    clientId: referenceClientId,
    clientName: 'Numera API reference',
    redirectUris: [`${context.config.baseUrl}${callbackPath}`],
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    registeredAt: new Date(context.clock.now()),
  })
}
