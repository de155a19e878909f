import type { PoolClient } from 'pg'
import type { Context } from '../service/context.ts'
import { giveSigningSecret } from './give-signing-secret.ts'
import { deleteSigningSecrets, updateSource } from './queries.ts'
import type { Source, SourceSettings } from './source.ts'

/**
 * Stores what a source is beside its declaration, in the transaction of a caller who holds the source's row. One that becomes a
 * webhook source gets a new signing secret; one that becomes a push source loses its secrets at once.
 *
 * @param settings that may be stored (`check-source-settings.ts`)
 * @returns the signing secret where it was given one: to be shown once
 */
export async function storeSettings(
  context: Pick<Context, 'clock' | 'keys'>,
  client: PoolClient,
  companyId: string,
  before: Source,
  settings: SourceSettings,
): Promise<string | undefined> {
  const { sourceId } = before
  const { name, systemKind, deliveryWay, documentFormat } = settings
  const isSame =
    name === before.name &&
    systemKind === before.systemKind &&
    deliveryWay === before.deliveryWay &&
    documentFormat === before.documentFormat
  if (isSame) return undefined
  await updateSource.run(client, { companyId, sourceId, name, systemKind, deliveryWay, documentFormat })
  if (deliveryWay === before.deliveryWay) return undefined
  if (deliveryWay === 'webhook') return giveSigningSecret(context, client, companyId, sourceId)
  await deleteSigningSecrets.run(client, { companyId, sourceId })
  return undefined
}
