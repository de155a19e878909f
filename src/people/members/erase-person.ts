import { randomBytes } from 'node:crypto'
import type { PoolClient } from 'pg'
import { endSessionsOfMember } from '../sessions/own-sessions.ts'
import { eraseMember, lockFormerMember } from './queries.ts'

/** Like the MAC of a personal number, but of none. */
const macBytes = 32

/**
 * Erases a person of whom no company is left: their name, what they are found by, and their sessions. What remains is a random
 * id, since what they did in other companies refers to it. If they sign in again, they are a new member.
 *
 * @returns false, and nothing is changed, if they are a member of a company or have signed what another one keeps
 */
export async function erasePerson(client: PoolClient, memberId: string): Promise<boolean> {
  if ((await lockFormerMember.first(client, { memberId })) === undefined) return false
  await endSessionsOfMember(client, memberId)
  await eraseMember.run(client, { memberId, noMac: randomBytes(macBytes) })
  return true
}
