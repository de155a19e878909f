import type { Actor } from '../companies/actor.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import { wakeWorker } from '../backlog/wake.ts'
import type { Declaration } from './declaration.ts'
import { lockSourceRow, selectShape } from './queries.ts'
import { requireDeclaration } from './require-declaration.ts'
import { storeShapeVersion, type SavedDeclaration } from './store-shape-version.ts'

/**
 * Saves a declaration as the next shape version. Where it counts differently than before, the stored deliveries are
 * rebuilt [fold.change].
 *
 * @param expectedVersion the version that the caller has seen: two people who save at once do not overwrite each other
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the company;
 *   409 `conflict` where the current version is another one, or the source has as many as it may
 */
export async function saveDeclaration(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  expectedVersion: number,
  declaration: Declaration,
): Promise<SavedDeclaration> {
  const saved = await inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    const locked = await lockSourceRow.first(client, { companyId, sourceId })
    if (locked === undefined) throw notFound()
    const current = locked.shape_version
    if (current !== expectedVersion) {
      throw conflict(`Somebody saved version ${current} meanwhile.`, 'expected_version')
    }
    requireDeclaration(declaration)
    const before = (await selectShape.first(client, { companyId, sourceId, shapeVersion: current }))!
    const { name } = locked
    return storeShapeVersion(context, client, { actor, companyId, sourceId, name, before, declaration })
  })
  if (saved.rebuilds) wakeWorker()
  return saved
}
