import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import type { Rate } from '../../platform/config/config.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import { findOrAddMember } from '../../people/members/find-member.ts'
import { parsePersonalNumber } from '../../formats/values/personal-number.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import { requireQuota } from '../../engine/usage/require-quota.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { checkLabel } from './check-label.ts'
import { insertMembership, selectMembership } from './queries.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { lockRole, requireRole } from '../../people/members/require-role.ts'
import type { Member } from './member.ts'
import type { Role } from '../../people/access/role.ts'

/** How many people one owner may add by personal number, in all companies. */
export const memberAdditionRate: Rate = { perMinute: 1, burst: 30 }
/** How many people may be added to one company by personal number. */
export const companyAdditionRate: Rate = { perMinute: 2, burst: 60 }

/**
 * Counts refused attempts too, which could be guesses at a member's number.
 *
 * @throws 429 `rate_limited`
 */
async function limitAdditions(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Exclude<Actor, 'operator'>,
  companyId: string,
): Promise<void> {
  await requireRole(context.pool, actor, companyId, 'owner')
  const message =
    'Too many people were added by personal number: wait as long as Retry-After says, or invite by link.'
  // In this order, so that an owner who is refused uses nothing of the company's rate.
  await enforceRate(context, `member_addition ${actor.memberId}`, memberAdditionRate, message)
  await enforceRate(context, `company_addition ${companyId}`, companyAdditionRate, message)
}

/**
 * Adds a person by personal number, for owners and the operator: from their next sign-in they are a member. Until they have
 * opened the company, its owners learn nothing about them, not even whether the service knew them before.
 *
 * @param input the label identifies them until then
 * @throws 400 with field `personal_number` or `label`; 403, 404 as `requireRole`; 403 `sign_in_again` for an owner; 409
 *   `conflict` if they are already a member, or the company has reached its limit; 429 `rate_limited`
 */
export async function addMember(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  input: { personalNumber: string; role: Role; label?: string },
): Promise<Member> {
  const label = checkLabel(input.label)
  if (actor !== 'operator') await limitAdditions(context, actor, companyId)
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'owner')
    await requireKept(client, companyId)
    if (input.role === 'owner') requireRecentSignIn(context, actor)
    const now = context.clock.now()
    const at = new Date(now)
    const personalNumber = parsePersonalNumber(input.personalNumber, at)
    if (personalNumber === undefined)
      throw invalidArgument('This is not a personal number.', 'personal_number')
    await requireQuota(context, client, companyId, 'members')
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
    if (added === undefined) throw conflict('They are already a member of the company.', 'personal_number')
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'member_invited',
      subject: { kind: 'member', id: memberId, name: label },
      details: { role: input.role },
      atMs: now,
    })
    return (await selectMembership.first(client, { companyId, memberId, at }))!
  })
}
