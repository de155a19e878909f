import type { Actor } from '../companies/actor.ts'
import type { Context } from '../service/context.ts'
import { changesAggregation } from '../sources/changes-aggregation.ts'
import type { Declaration } from '../sources/declaration.ts'
import { isSameDeclaration } from '../sources/save-source.ts'
import { findDeclaredSource } from '../sources/show-source.ts'
import { countStored, type StoredDeliveries } from '../sources/source-activity.ts'

/** What saving a declaration would do. */
export interface SavingEffect {
  /** The shape version that it makes; null where it is the current one. */
  makesVersion: number | null
  /** All stored deliveries would be aggregated anew. */
  rebuilds: boolean
  stored: StoredDeliveries
}

/** @throws 403, 404 as `requireRole`; 404 where it is no source of the company */
export async function findSavingEffect(
  context: Pick<Context, 'pool' | 'readPool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  declaration: Declaration,
): Promise<SavingEffect> {
  const { version } = await findDeclaredSource(context, actor, companyId, sourceId)
  return {
    makesVersion: isSameDeclaration(version, declaration) ? null : version.shapeVersion + 1,
    rebuilds: changesAggregation(version, declaration),
    stored: await countStored(context.readPool, companyId, sourceId),
  }
}
