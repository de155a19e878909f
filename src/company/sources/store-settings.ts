import type { PoolClient } from 'pg'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { issueSigningSecret } from './signing-secrets/issue-signing-secret.ts'
import { deleteSigningSecrets, updateSource } from './queries.ts'
import type { Source, SourceSettings } from './source.ts'

interface NewSettings {
  actor: Actor
  before: Source
  /** Settings that may be stored (`check-source-settings.ts`). */
  settings: SourceSettings
}

/**
 * Stores the settings of a source and the audit event, in the transaction of a caller who has locked the
 * source's row. One that becomes a webhook source gets a new signing secret; one that becomes a push source loses its
 * secrets.
 *
 * @returns the signing secret where it was given one: to be shown once
 * @throws 403 `sign_in_again` where it becomes a webhook source
 */
export async function storeSettings(
  context: Pick<Context, 'clock' | 'keys' | 'config'>,
  client: PoolClient,
  companyId: string,
  { actor, before, settings }: NewSettings,
): Promise<string | undefined> {
  if (!isChanged(before, settings)) return undefined
  // Away from webhooks and back would be a rotation too.
  if (settings.channel === 'webhook' && before.channel !== 'webhook') requireRecentSignIn(context, actor)
  const { sourceId } = before
  const { name, systemKind, channel, format } = settings
  await updateSource.run(client, { companyId, sourceId, name, systemKind, channel, format })
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

function isChanged(before: SourceSettings, after: SourceSettings): boolean {
  return (
    before.name !== after.name ||
    before.systemKind !== after.systemKind ||
    before.channel !== after.channel ||
    before.format !== after.format
  )
}
