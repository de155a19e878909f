import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../service/context.ts'
import { personalNumberMac } from './personal-number-mac.ts'
import { selectMember } from './queries.ts'

/** Whether the person with a personal number, as twelve digits, is this member. Compared in constant time. */
export async function isMember(
  context: Pick<Context, 'pool' | 'keys'>,
  memberId: string,
  personalNumber: string,
): Promise<boolean> {
  const member = await selectMember.first(context.pool, { memberId })
  if (member === undefined) return false
  return timingSafeEqual(personalNumberMac(context.keys, personalNumber), member.personal_number_mac)
}
