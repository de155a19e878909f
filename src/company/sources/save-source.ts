import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../people/members/actor.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound, type ApiError } from '../../platform/http/errors/errors.ts'
import { wakeWorker } from '../../engine/backlog/wake.ts'
import { checkSourceSettings } from './check-source-settings.ts'
import type { CreatedSource } from './create-source.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { lockSourceRow, selectShape, selectSource, type ShapeVersionRow } from './queries.ts'
import { requireDeclaration } from './require-declaration.ts'
import { requireOwnName } from './require-own-name.ts'
import { shapeVersionAnswer, sourceAnswer } from './to-source-answer.ts'
import { toShapeVersion, toSource, type Source, type SourceSettings } from './source.ts'
import { storeSettings } from './store-settings.ts'
import { storeShapeVersion } from './store-shape-version.ts'

export interface SavedSource extends CreatedSource {
  /** The declaration is a new shape version. */
  createdVersion: boolean
  /** The stored deliveries are rebuilt; until that is done the old samples are read. */
  rebuilds: boolean
}

/** Whether saving `after` would make no new shape version: it declares what `before` does, in the same order. */
export function isSameDeclaration(before: Declaration, after: Declaration): boolean {
  return (
    before.event_time === after.event_time &&
    before.delivers === after.delivers &&
    isDeepStrictEqual(before.fields, after.fields) &&
    isDeepStrictEqual(before.metrics, after.metrics)
  )
}

/** The page shows both, what was saved and one's own. */
function savedMeanwhile(source: Source, shape: ShapeVersionRow): ApiError {
  return conflict('The source was saved by another member meanwhile.', 'expected_revision', {
    source: sourceAnswer(source),
    version: shapeVersionAnswer(toShapeVersion(shape)),
  })
}

/**
 * Saves a source whole: its settings and its declaration, both or neither. A declaration that is the same makes no new
 * shape version: a version is a save of the fields (specification, "Concepts" 2), and nothing of them is saved.
 *
 * @param expectedRevision of the source that the caller has seen: two people who save at the same time do not overwrite each other
 * @throws 400 with the setting or the field that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the
 *   company; 409 `conflict` where it has another revision, with what it is now as the details; 409 where it has as many
 *   versions as it may, or with field `name` where another source has that name
 */
export async function saveSource(
  context: Pick<Context, 'pool' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  expectedRevision: number,
  input: SourceSettings & { declaration: Declaration },
): Promise<SavedSource> {
  const saved = await inTransaction(context.pool, async (client): Promise<SavedSource> => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'developer')
    const locked = await lockSourceRow.first(client, { companyId, sourceId })
    if (locked === undefined) throw notFound()
    const at = new Date(context.clock.now())
    const source = toSource((await selectSource.first(client, { at, companyId, sourceId }))!)
    const { shapeVersion } = source
    const before = (await selectShape.first(client, { companyId, sourceId, shapeVersion }))!
    if (source.revision !== expectedRevision) throw savedMeanwhile(source, before)
    const settings = checkSourceSettings(input)
    const { declaration } = input
    requireDeclaration(declaration)
    await requireOwnName(client, companyId, settings.name, source)
    const createdVersion = !isSameDeclaration(before, declaration)
    const { name } = settings
    const stored = createdVersion
      ? await storeShapeVersion(context, client, { actor, companyId, sourceId, name, before, declaration })
      : undefined
    const signingSecret = await storeSettings(context, client, companyId, { actor, before: source, settings })
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
      createdVersion,
      rebuilds: stored?.rebuilds ?? false,
    }
  })
  if (saved.rebuilds) wakeWorker()
  return saved
}
