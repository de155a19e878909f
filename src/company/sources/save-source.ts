import { isDeepStrictEqual } from 'node:util'
import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { wakeWorker } from '../../engine/backlog/wake.ts'
import { changesAggregation } from '../../engine/declarations/changes-aggregation.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { beginProjection } from '../../engine/projections/begin-projection.ts'
import { requireShapeVersion } from '../../engine/usage/require-quota.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict, type ApiError } from '../../platform/http/errors/errors.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { checkSource } from './check-source.ts'
import type { CreatedSource } from './create-source.ts'
import { lockSource } from './lock-source.ts'
import {
  insertShape,
  selectShape,
  selectSource,
  updateShapeVersion,
  updateSource,
  upsertSourceName,
  type ShapeVersionRow,
} from './queries.ts'
import { issueSigningSecret } from './signing-secrets/issue-signing-secret.ts'
import { deleteSigningSecrets } from './signing-secrets/queries.ts'
import { toShapeVersion, toSource, type Source, type SourceSettings } from './source.ts'
import { shapeVersionAnswer, sourceAnswer } from './to-source-answer.ts'

export interface SavedSource extends CreatedSource {
  /** The stored deliveries are rebuilt; until that is done the old samples are read. */
  rebuilds: boolean
}

interface Save {
  actor: Actor
  companyId: string
  before: Source
}

/** Whether saving `after` would create no shape version: it declares what `before` does, in the same order. */
export function isSameDeclaration(before: Declaration, after: Declaration): boolean {
  return (
    before.event_time === after.event_time &&
    before.delivers === after.delivers &&
    isDeepStrictEqual(before.fields, after.fields) &&
    isDeepStrictEqual(before.metrics, after.metrics)
  )
}

/** With the saved source in the details: the page shows it next to the member's own. */
function savedMeanwhile(source: Source, shape: ShapeVersionRow): ApiError {
  return conflict('The source was saved by another member meanwhile.', 'expected_revision', {
    source: sourceAnswer(source),
    version: shapeVersionAnswer(toShapeVersion(shape)),
  })
}

/**
 * Saves a source's settings and its declaration, both or neither. A changed declaration is the next shape version; if it
 * counts differently, the stored deliveries are rebuilt [fold.change]. An unchanged declaration creates no version: a
 * version is a save of the fields (specification, "Concepts" 2).
 *
 * @param expectedRevision the revision that the caller changed, so that two members do not overwrite each other's save
 * @returns with a signing secret if the source became a webhook source
 * @throws 400 with the setting or the field that is wrong; 403, 404 as `requireRole`; 403 `sign_in_again` if it becomes a
 *   webhook source; 404 if the company has no such source; 409 `conflict` with its current state as the details if it has
 *   another revision; 409 if it has the maximum of versions, or with field `name` if another source has that name
 */
export async function saveSource(
  context: Pick<Context, 'pool' | 'shard' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  expectedRevision: number,
  input: SourceSettings & { declaration: Declaration },
): Promise<SavedSource> {
  const saved = await inDirectoryTransaction(context.pool, async (client): Promise<SavedSource> => {
    await lockCompany(client, companyId)
    const { shape_version: shapeVersion } = await lockSource(context, client, actor, companyId, sourceId)
    const at = new Date(context.clock.now())
    const before = toSource((await selectSource.first(client, { at, companyId, sourceId }))!)
    const shape = (await selectShape.first(client, { companyId, sourceId, shapeVersion }))!
    if (before.revision !== expectedRevision) throw savedMeanwhile(before, shape)
    const { declaration } = input
    const settings = await checkSource(client, companyId, input, before)
    const save = { actor, companyId, before }
    const rebuilds =
      !isSameDeclaration(shape, declaration) &&
      (await storeShapeVersion(context, client, save, settings.name, shape, declaration))
    const signingSecret = await storeSettings(context, client, save, settings)
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
      rebuilds,
    }
  })
  if (saved.rebuilds) wakeWorker()
  return saved
}

/** @returns whether the stored deliveries are rebuilt: wake a worker once this has committed */
async function storeShapeVersion(
  context: Pick<Context, 'shard' | 'clock' | 'config'>,
  client: PoolClient,
  { actor, companyId, before: { sourceId } }: Save,
  name: string,
  shape: ShapeVersionRow,
  declaration: Declaration,
): Promise<boolean> {
  const shapeVersion = shape.shape_version + 1
  await requireShapeVersion(context, client, companyId, shapeVersion)
  const { fields, event_time, metrics, delivers } = declaration
  const now = context.clock.now()
  await insertShape.run(client, {
    companyId,
    sourceId,
    shapeVersion,
    fields: JSON.stringify(fields),
    eventTime: event_time,
    metrics: JSON.stringify(metrics),
    delivers,
    savedBy: actorMemberId(actor),
    savedAt: new Date(now),
  })
  await updateShapeVersion.run(client, { companyId, sourceId, shapeVersion })
  const rebuilds = changesAggregation(shape, declaration)
  if (rebuilds) await beginProjection(context, client, companyId, sourceId, shapeVersion, 'building', now)
  await recordAuditEvent(client, {
    companyId,
    actor,
    action: 'source_version_saved',
    subject: { kind: 'source', id: sourceId, name },
    details: { shape_version: shapeVersion, rebuilds },
    atMs: now,
  })
  return rebuilds
}

/** @returns the new signing secret of a source that became a webhook source */
async function storeSettings(
  context: Pick<Context, 'clock' | 'keys' | 'config'>,
  client: PoolClient,
  { actor, companyId, before }: Save,
  settings: SourceSettings,
): Promise<string | undefined> {
  const { sourceId } = before
  const { name, systemKind, channel, format } = settings
  if (isDeepStrictEqual(settings, toSettings(before))) return undefined
  // A webhook source that became a push source and then a webhook source again would have rotated its secret.
  if (channel === 'webhook' && before.channel !== 'webhook') requireRecentSignIn(context, actor)
  await updateSource.run(client, { companyId, sourceId, name, systemKind, channel, format })
  await upsertSourceName.run(client, { companyId, sourceId, name })
  await recordAuditEvent(client, {
    companyId,
    actor,
    action: 'source_changed',
    subject: { kind: 'source', id: sourceId, name },
    atMs: context.clock.now(),
  })
  if (channel === before.channel) return undefined
  if (channel === 'webhook') return issueSigningSecret(context, client, companyId, sourceId)
  await deleteSigningSecrets.run(client, { companyId, sourceId })
  return undefined
}

function toSettings({ name, systemKind, channel, format }: Source): SourceSettings {
  return { name, systemKind, channel, format }
}
