import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { personalNumberMac } from './personal-number-mac.ts'
import { upsertMember } from './queries.ts'

/**
 * The member with a personal number, made where the service does not know the person yet. Safe to call at once: two
 * calls for one person give one id.
 *
 * @param person the number as twelve digits (`parsePersonalNumber`); the name where the provider has said it
 */
export const findOrAddMember = async (
  context: Pick<Context, 'clock' | 'keys'>,
  on: Queryable,
  person: { personalNumber: string; name?: string },
): Promise<string> => {
  const now = context.clock.now()
  const row = await upsertMember.first(on, [
    uuidv7(now),
    personalNumberMac(context.keys, person.personalNumber),
    person.name ?? null,
    new Date(now),
  ])
  return row!.member_id
}
