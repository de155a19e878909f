import { saveSource, type SavedSource } from '../../src/company/sources/save-source.ts'
import { findDeclaredSource } from '../../src/company/sources/show-source.ts'
import type { SourceSettings } from '../../src/company/sources/source.ts'
import type { Context } from '../../src/context.ts'
import type { Declaration } from '../../src/engine/declarations/declaration.ts'

/** Saves a source with changed settings or a changed declaration, as the operator does. */
export async function saveSourceAsOperator(
  context: Pick<Context, 'pool' | 'shard' | 'clock' | 'keys' | 'config'>,
  { companyId, sourceId }: { companyId: string; sourceId: string },
  changes: Partial<SourceSettings> & { declaration?: Declaration },
): Promise<SavedSource> {
  const { source, version } = await findDeclaredSource(context, 'operator', companyId, sourceId)
  const { fields, event_time, metrics, delivers } = version
  const declaration = { fields, event_time, metrics, delivers }
  return saveSource(context, 'operator', companyId, sourceId, source.revision, {
    ...source,
    declaration,
    ...changes,
  })
}
