import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { checkSourceSettings } from './check-source-settings.ts'
import { lockSource, selectSource, updateSource } from './queries.ts'
import { toSource, type Source, type SourceSettings } from './source.ts'

/**
 * Renames a source, or changes how it delivers. What is left out stays.
 *
 * @throws 400 with the setting that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the company
 */
export const changeSource = async (
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  changes: Partial<SourceSettings>,
): Promise<Source> =>
  inTransaction(context.pool, async (client) => {
    await requireRole(client, actor, companyId, 'developer')
    if ((await lockSource.first(client, [companyId, sourceId])) === undefined) throw notFound()
    const before = toSource((await selectSource.first(client, [companyId, sourceId]))!)
    const after = { ...before, ...checkSourceSettings({ ...before, ...changes }) }
    const { name, systemKind, deliveryWay, documentForm } = after
    await updateSource.run(client, [companyId, sourceId, name, systemKind, deliveryWay, documentForm])
    return after
  })
