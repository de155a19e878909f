import type { PoolClient } from 'pg'
import type { Role } from '../access/role.ts'
import { deleteLooksOfMember } from './look-queries.ts'
import { deleteMembership, lockMembership, updateRole } from './queries.ts'

/** Ends a membership, even the last owner's: whether it may end is for its caller to check. */
export async function endMembership(client: PoolClient, companyId: string, memberId: string): Promise<void> {
  await lockMembership.run(client, { companyId, memberId })
  await deleteLooksOfMember.run(client, { companyId, memberId })
  await deleteMembership.run(client, { companyId, memberId })
}

/** Gives a member another role, even the last owner: whether it may change is for its caller to check. */
export async function setRole(
  client: PoolClient,
  companyId: string,
  memberId: string,
  role: Role,
): Promise<void> {
  await lockMembership.run(client, { companyId, memberId })
  await updateRole.run(client, { companyId, memberId, role })
}
