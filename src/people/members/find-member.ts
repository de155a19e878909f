import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { parsePersonalNumber } from '../../formats/values/personal-number.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { selectMember, selectMemberByMac, upsertMember } from './queries.ts'

/**
 * What a member is found by: HMAC-SHA256 of the twelve digits under a key of the deployment. The number itself is not
 * stored; without the key, trying all numbers of a century finds nothing.
 */
function toMac({ keys }: Pick<DirectoryContext, 'keys'>, twelveDigits: string): Buffer {
  return createHmac('sha256', keys.personalNumbers).update(twelveDigits).digest()
}

/**
 * The member with a personal number in any of its forms, for the operator.
 *
 * @throws 400 if it is not such a number, 404 if no member has it
 */
export async function findMember(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'keys'>,
  personalNumber: string,
): Promise<{ memberId: string; name: string | null }> {
  const digits = parsePersonalNumber(personalNumber, new Date(context.clock.now()))
  if (digits === undefined) throw invalidArgument('This is not a personal number.', 'personal_number')
  const row = await selectMemberByMac.first(context.pool, { mac: toMac(context, digits) })
  if (row === undefined) throw notFound()
  return { memberId: row.member_id, name: row.name }
}

/**
 * The id of the member with a personal number, who is added if the service does not know them. Concurrent calls for one
 * person give one id. It is random: one that grew with time would tell an owner who adds a personal number since when the
 * service has known the person.
 *
 * @param person the number as twelve digits (`parsePersonalNumber`); the name if the provider has said it
 * @param options whether they sign in with it: that is recorded
 */
export async function findOrAddMember(
  context: Pick<DirectoryContext, 'clock' | 'keys'>,
  on: Queryable,
  person: { personalNumber: string; name?: string },
  { signsIn = false }: { signsIn?: boolean } = {},
): Promise<string> {
  const at = new Date(context.clock.now())
  const row = await upsertMember.first(on, {
    memberId: randomUUID(),
    mac: toMac(context, person.personalNumber),
    name: person.name ?? null,
    signedInAt: signsIn ? at : null,
    at,
  })
  return row!.member_id
}

/** Whether the person with a personal number, as twelve digits, is this member. Compared in constant time. */
export async function isMember(
  context: Pick<DirectoryContext, 'pool' | 'keys'>,
  memberId: string,
  personalNumber: string,
): Promise<boolean> {
  const member = await selectMember.first(context.pool, { memberId })
  return member !== undefined && timingSafeEqual(toMac(context, personalNumber), member.personal_number_mac)
}
