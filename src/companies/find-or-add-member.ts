import { randomUUID } from 'node:crypto'
import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { personalNumberMac } from './personal-number-mac.ts'
import { upsertMember } from './queries.ts'

/**
 * The member with a personal number, made where the service does not know the person yet. Safe to call at once: two
 * calls for one person give one id. It is random: one that grew with time would tell an owner who adds a personal number
 * since when the service has known the person.
 *
 * @param person the number as twelve digits (`parsePersonalNumber`); the name where the provider has said it
 * @param options whether they sign in with it: that is recorded
 */
export async function findOrAddMember(
  context: Pick<Context, 'clock' | 'keys'>,
  on: Queryable,
  person: { personalNumber: string; name?: string },
  { signsIn = false }: { signsIn?: boolean } = {},
): Promise<string> {
  const now = context.clock.now()
  const row = await upsertMember.first(on, {
    memberId: randomUUID(),
    mac: personalNumberMac(context.keys, person.personalNumber),
    name: person.name ?? null,
    signedInAt: signsIn ? new Date(now) : null,
    at: new Date(now),
  })
  return row!.member_id
}
