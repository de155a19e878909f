import type { Actor } from '../../people/members/actor.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { checkSourceSettings } from './check-source-settings.ts'
import type { CreatedSource } from './create-source.ts'
import { lockSourceRow, selectSource } from './queries.ts'
import { requireOwnName } from './require-own-name.ts'
import { toSource, type SourceSettings } from './source.ts'
import { storeSettings } from './store-settings.ts'

/**
 * Renames a source, or changes how it delivers. What is left out stays. One that becomes a webhook source gets a new
 * signing secret; one that becomes a push source loses its secrets.
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
): Promise<CreatedSource> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'developer')
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
