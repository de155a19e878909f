import type { Context } from '../service/context.ts'
import { invalidArgument, notFound } from '../http/errors.ts'
import { parsePersonalNumber } from '../values/personal-number.ts'
import { personalNumberMac } from './personal-number-mac.ts'
import { selectMemberByMac } from './queries.ts'

/**
 * The member with a personal number in any of its forms, for the operator.
 *
 * @throws 400 where it is not such a number, 404 where no member has it
 */
export async function findMember(
  context: Pick<Context, 'pool' | 'clock' | 'keys'>,
  personalNumber: string,
): Promise<{ memberId: string; name: string | null }> {
  const digits = parsePersonalNumber(personalNumber, new Date(context.clock.now()))
  if (digits === undefined) throw invalidArgument('It is no personal number.', 'personal_number')
  const row = await selectMemberByMac.first(context.pool, { mac: personalNumberMac(context.keys, digits) })
  if (row === undefined) throw notFound()
  return { memberId: row.member_id, name: row.name }
}
