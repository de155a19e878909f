import type { Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/http/errors/errors.ts'
import { wakeWorker } from '../../engine/backlog/wake.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { lockSourceRow, selectShape } from './queries.ts'
import { requireDeclaration } from './require-declaration.ts'
import { storeShapeVersion, type SavedDeclaration } from './store-shape-version.ts'

/**
 * Saves a declaration as the next shape version. Where it counts differently than before, the stored deliveries are
 * rebuilt [fold.change].
 *
 * @param expectedVersion the version that the caller has seen: two people who save at the same time do not overwrite each other
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
    await lockRole(client, actor, companyId, 'developer')
    const locked = await lockSourceRow.first(client, { companyId, sourceId })
    if (locked === undefined) throw notFound()
    const current = locked.shape_version
    if (current !== expectedVersion) {
      throw conflict(`Version ${current} was saved meanwhile.`, 'expected_version')
    }
    requireDeclaration(declaration)
    const before = (await selectShape.first(client, { companyId, sourceId, shapeVersion: current }))!
    const { name } = locked
    return storeShapeVersion(context, client, { actor, companyId, sourceId, name, before, declaration })
  })
  if (saved.rebuilds) wakeWorker()
  return saved
}
