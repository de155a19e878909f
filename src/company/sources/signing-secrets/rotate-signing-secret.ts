import { recordAuditEvent } from '../../audit/record-audit-event.ts'
import type { Actor } from '../../../people/members/actor.ts'
import { requireRecentSignIn } from '../../../people/members/require-recent-sign-in.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/http/errors/errors.ts'
import { issueSigningSecret } from './issue-signing-secret.ts'
import {
  deletePreviousSigningSecrets,
  endCurrentSigningSecret,
  selectCurrentSigningSecret,
} from './queries.ts'
import { lockSource } from '../lock-source.ts'
import { selectSource } from '../queries.ts'
import { SigningSecretClosedError, unsealSigningSecret } from '../../../platform/keys/signing-secret.ts'
import { toSource, type Source } from '../source.ts'

/** How long the previous signing secret keeps working after a rotation, in milliseconds. */
export const overlapMs = 24 * 60 * 60_000

export interface RotatedSource {
  source: Source
  /** The new one, returned only here. */
  signingSecret: string
}

/**
 * Gives a webhook source a new signing secret, which works immediately. The previous one works for another 24 hours, and
 * one from an earlier rotation ends (specification "States and transitions"). Of two concurrent rotations, the second ends
 * the secret that the first had replaced.
 *
 * @throws 403, 404 as `requireRole`; 403 `sign_in_again`; 404 if the company has no such source; 409 `conflict` if it is
 *   not a webhook source, or if the current secret cannot be unsealed with this process's master key: the deployment's other
 *   processes could not unseal a new one either
 */
export async function rotateSigningSecret(
  context: Pick<Context, 'pool' | 'shard' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<RotatedSource> {
  return inTransaction(context.pool, async (client) => {
    await lockSource(context, client, actor, companyId, sourceId)
    requireRecentSignIn(context, actor)
    const now = context.clock.now()
    const at = new Date(now)
    const before = (await selectSource.first(client, { at, companyId, sourceId }))!
    if (before.channel !== 'webhook') throw conflict('Only a webhook source has a signing secret.')
    const current = await selectCurrentSigningSecret.first(client, { companyId, sourceId })
    if (current !== undefined) requireOpen(context, current.sealed, sourceId)
    await deletePreviousSigningSecrets.run(client, { companyId, sourceId })
    await endCurrentSigningSecret.run(client, { companyId, sourceId, endsAt: new Date(now + overlapMs) })
    const signingSecret = await issueSigningSecret(context, client, companyId, sourceId)
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_secret_rotated',
      subject: { kind: 'source', id: sourceId, name: before.name },
      atMs: now,
    })
    return {
      source: toSource((await selectSource.first(client, { at, companyId, sourceId }))!),
      signingSecret,
    }
  })
}

function requireOpen({ keys }: Pick<Context, 'keys'>, sealed: Buffer, sourceId: string): void {
  try {
    unsealSigningSecret(keys.master, sealed, sourceId)
  } catch (error) {
    if (!(error instanceof SigningSecretClosedError)) throw error
    throw conflict('The current signing secret was sealed under another master key than the service has.')
  }
}
