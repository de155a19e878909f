import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../companies/actor.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { checkSourceSettings } from './check-source-settings.ts'
import type { MadeSource } from './create-source.ts'
import { giveSigningSecret } from './give-signing-secret.ts'
import { deleteSigningSecrets, lockSourceRow, selectSource, updateSource } from './queries.ts'
import { toSource, type SourceSettings } from './source.ts'

/**
 * Renames a source, or changes how it delivers. What is left out stays. One that becomes a webhook source gets a new
 * signing secret; one that becomes a push source loses its secrets at once.
 *
 * @throws 400 with the setting that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the company
 */
export async function changeSource(
  context: Pick<Context, 'pool' | 'clock' | 'keys'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  changes: Partial<SourceSettings>,
): Promise<MadeSource> {
  return inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    if ((await lockSourceRow.first(client, { companyId, sourceId })) === undefined) throw notFound()
    const now = context.clock.now()
    const at = new Date(now)
    const before = toSource((await selectSource.first(client, { at, companyId, sourceId }))!)
    const settings = checkSourceSettings({ ...before, ...changes })
    const { name, systemKind, deliveryWay, documentFormat } = settings
    await updateSource.run(client, { companyId, sourceId, name, systemKind, deliveryWay, documentFormat })
    if (isChanged(before, settings)) {
      await recordAuditEvent(client, {
        companyId,
        actor,
        action: 'source_changed',
        subject: { kind: 'source', id: sourceId, name },
        atMs: now,
      })
    }
    let signingSecret: string | undefined
    if (deliveryWay !== before.deliveryWay) {
      if (deliveryWay === 'webhook') {
        signingSecret = await giveSigningSecret(context, client, companyId, sourceId)
      } else await deleteSigningSecrets.run(client, { companyId, sourceId })
    }
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
    }
  })
}

function isChanged(before: SourceSettings, after: SourceSettings): boolean {
  return (
    before.name !== after.name ||
    before.systemKind !== after.systemKind ||
    before.deliveryWay !== after.deliveryWay ||
    before.documentFormat !== after.documentFormat
  )
}
