import type { Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { changesAggregation } from '../../engine/declarations/changes-aggregation.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { isSameDeclaration } from '../../company/sources/save-source.ts'
import { findDeclaredSource } from '../../company/sources/show-source.ts'
import { countStored, type StoredDeliveries } from '../../company/sources/source-activity.ts'

/** What saving a declaration would do. */
export interface SavingEffect {
  /** The shape version that it makes; null where it is the current one. */
  createsVersion: number | null
  /** All stored deliveries would be aggregated again. */
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
    createsVersion: isSameDeclaration(version, declaration) ? null : version.shapeVersion + 1,
    rebuilds: changesAggregation(version, declaration),
    stored: await countStored(context.readPool, companyId, sourceId),
  }
}
