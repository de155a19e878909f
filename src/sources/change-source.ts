import type { Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { checkSourceSettings } from './check-source-settings.ts'
import type { MadeSource } from './create-source.ts'
import { lockSourceRow, selectSource } from './queries.ts'
import { requireOwnName } from './require-own-name.ts'
import { toSource, type SourceSettings } from './source.ts'
import { storeSettings } from './store-settings.ts'

/**
 * Renames a source, or changes how it delivers. What is left out stays. One that becomes a webhook source gets a new
 * signing secret; one that becomes a push source loses its secrets at once.
 *
 * @throws 400 with the setting that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the company;
 *   409 `conflict` with field `name` where another source has it
 */
export async function changeSource(
  context: Pick<Context, 'pool' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  changes: Partial<SourceSettings>,
): Promise<MadeSource> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await holdRole(client, actor, companyId, 'developer')
    if ((await lockSourceRow.first(client, { companyId, sourceId })) === undefined) throw notFound()
    const at = new Date(context.clock.now())
    const before = toSource((await selectSource.first(client, { at, companyId, sourceId }))!)
    const settings = checkSourceSettings({ ...before, ...changes })
    await requireOwnName(client, companyId, settings.name, before)
    const signingSecret = await storeSettings(context, client, companyId, { actor, before, settings })
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
    }
  })
}
