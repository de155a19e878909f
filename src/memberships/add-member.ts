import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Rate } from '../config/config.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict, invalidArgument } from '../http/errors.ts'
import { findOrAddMember } from '../companies/find-or-add-member.ts'
import { parsePersonalNumber } from '../values/personal-number.ts'
import { consume } from '../rate-limit/consume.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import { requireRoom } from '../usage/require-room.ts'
import { actorMemberId, type Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { checkLabel } from './check-label.ts'
import { toMember, type Member } from './member.ts'
import { insertMembership, selectMembership } from './queries.ts'
import { requireRecentSignIn } from '../companies/require-recent-sign-in.ts'
import { holdRole, requireRole } from '../companies/require-role.ts'
import type { Role } from '../access/role.ts'

/** People that one owner adds by personal number, to all companies. A further one is 429. */
export const memberAdditionRate: Rate = { perMinute: 1, burst: 30 }
/** People that are added to one company by personal number. A further one is 429. */
export const companyAdditionRate: Rate = { perMinute: 2, burst: 60 }

/**
 * Refused attempts count too: they could try numbers for one that a member has.
 *
 * @throws 429 `rate_limited`
 */
async function limitAdditions(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  actor: Exclude<Actor, 'operator'>,
  companyId: string,
): Promise<void> {
  await requireRole(pool, actor, companyId, 'owner')
  // In this order, so that an owner who is refused takes nothing from the others.
  for (const [subject, rate] of [
    [`member_addition ${actor.memberId}`, memberAdditionRate],
    [`company_addition ${companyId}`, companyAdditionRate],
  ] as const) {
    const bucket = await consume(pool, subject, rate, clock.now())
    if (bucket.granted) continue
    throw rateLimited(bucket.retryAfterSeconds, {
      message:
        'Too many people were added by personal number: wait as long as Retry-After says, or invite by link.',
    })
  }
}

/**
 * Adds a person by personal number: from their next sign-in they are a member. For owners and the operator. Until the person
 * has opened the company since, it learns nothing of them, not even whether the service knew them before.
 *
 * @param input the label tells them apart until then
 * @throws 400 with field `personal_number` or `label`; 403, 404 as `requireRole`; 403 `sign_in_again` for an owner; 409
 *   `conflict` where they are a member already, or the company has as many as it may; 429 `rate_limited`
 */
export async function addMember(
  context: Pick<Context, 'pool' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  input: { personalNumber: string; role: Role; label?: string },
): Promise<Member> {
  const label = checkLabel(input.label)
  if (actor !== 'operator') await limitAdditions(context, actor, companyId)
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await holdRole(client, actor, companyId, 'owner')
    if (input.role === 'owner') requireRecentSignIn(context, actor)
    const now = context.clock.now()
    const at = new Date(now)
    const personalNumber = parsePersonalNumber(input.personalNumber, at)
    if (personalNumber === undefined) throw invalidArgument('It is no personal number.', 'personal_number')
    await requireRoom(context, client, companyId, 'members')
    const memberId = await findOrAddMember(context, client, { personalNumber })
    const added = await insertMembership.first(client, {
      companyId,
      memberId,
      role: input.role,
      label,
      addedBy: actorMemberId(actor),
      opened: false,
      at,
    })
    if (added === undefined) throw conflict('They are a member of the company already.', 'personal_number')
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'member_invited',
      subject: { kind: 'member', id: memberId, name: label },
      details: { role: input.role },
      atMs: now,
    })
    return toMember((await selectMembership.first(client, { companyId, memberId, at }))!)
  })
}
