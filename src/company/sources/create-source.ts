import { randomBytes } from 'node:crypto'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import { requireQuota } from '../../engine/usage/require-quota.ts'
import { checkSource } from './check-source.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { issueSigningSecret } from './signing-secrets/issue-signing-secret.ts'
import {
  insertFirstProjection,
  insertShape,
  insertSource,
  selectSource,
  upsertSourceName,
} from './queries.ts'
import { toSource, type Source, type SourceSettings } from './source.ts'

const saltBytes = 16

export interface CreatedSource {
  source: Source
  /** Of a webhook source, returned only here. */
  signingSecret: string | undefined
}

/**
 * Creates a source with its first shape version and the projection that its deliveries are parsed into; a webhook source
 * also gets its signing secret.
 *
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`; 409 `conflict` if the company has its maximum
 *   of sources, or with field `name` if it has one of that name
 */
export async function createSource(
  context: Pick<Context, 'pool' | 'shard' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  input: SourceSettings & { declaration: Declaration },
): Promise<CreatedSource> {
  const { fields, event_time, metrics, delivers } = input.declaration
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'developer')
    await requireKept(client, companyId)
    await requireHere(client, context, companyId)
    await requireQuota(context, client, companyId, 'sources')
    const { name, systemKind, channel, format } = await checkSource(client, companyId, input)
    const now = context.clock.now()
    const at = new Date(now)
    const sourceId = uuidv7(now)
    const salt = randomBytes(saltBytes)
    await insertSource.run(client, {
      companyId,
      sourceId,
      name,
      systemKind,
      channel,
      format,
      distinctSalt: salt,
      createdAt: at,
    })
    await upsertSourceName.run(client, { companyId, sourceId, name })
    await insertShape.run(client, {
      companyId,
      sourceId,
      shapeVersion: 1,
      fields: JSON.stringify(fields),
      eventTime: event_time,
      metrics: JSON.stringify(metrics),
      delivers,
      savedBy: actorMemberId(actor),
      savedAt: at,
    })
    await insertFirstProjection.run(client, { companyId, sourceId, createdAt: at })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_created',
      subject: { kind: 'source', id: sourceId, name },
      atMs: now,
    })
    const signingSecret =
      channel === 'webhook' ? await issueSigningSecret(context, client, companyId, sourceId) : undefined
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
    }
  })
}
