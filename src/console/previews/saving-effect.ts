import type { Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { changesAggregation } from '../../engine/declarations/changes-aggregation.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { isSameDeclaration } from '../../company/sources/save-source.ts'
import { findDeclaredSource } from '../../company/sources/show-source.ts'
import { countStored, type StoredDeliveries } from '../../company/sources/source-activity.ts'

/** The effect of saving a declaration. */
export interface SavingEffect {
  /** The shape version that it would create; null if the declaration is unchanged. */
  createsVersion: number | null
  /** Whether all stored deliveries would be rebuilt. */
  rebuilds: boolean
  stored: StoredDeliveries
}

/** @throws 403, 404 as `requireRole`; 404 if the company has no such source */
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
