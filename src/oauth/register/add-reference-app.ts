import type { DirectoryContext } from '../../context.ts'
import { callbackPath, referenceClientId } from '../../platform/http/docs-origin.ts'
import { appGrantTypes, appResponseTypes } from './client-metadata.ts'
import { upsertApp } from './queries.ts'

/**
 * The interactive reference as an app of a demo deployment, so that an app's flow can be tried in it. It is the only app
 * whose tokens the reference accepts, and no other deployment has it. Adding it again records a use.
 */
export async function addReferenceApp(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
): Promise<void> {
  await upsertApp.run(context.pool, {
    clientId: referenceClientId,
    clientName: 'Numera API reference',
    redirectUris: [`${context.config.baseUrl}${callbackPath}`],
    grantTypes: appGrantTypes,
    responseTypes: appResponseTypes,
    registeredAt: new Date(context.clock.now()),
  })
}
