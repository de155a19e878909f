import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { addMember } from './add-member.ts'
import { changeRole } from './change-role.ts'
import {
  addMemberContract,
  changeRoleContract,
  listMembersContract,
  removeMemberContract,
} from './contract.ts'
import { listMembers } from './list-members.ts'
import type { Member } from './member.ts'
import { removeMember } from './remove-member.ts'

function showMember(member: Member) {
  return {
    member_id: member.memberId,
    name: member.name,
    role: member.role,
    added_by: member.addedBy,
    added_at: member.addedAt,
  }
}

/** The members of a company: for the pages. */
export async function registerMembershipRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get(
    '/console/companies/:company_id/members',
    route(listMembersContract),
    async ({ session, params, query }) => {
      const page = await listMembers(context, session, params.company_id, pageRequestOf(query))
      return { members: page.items.map(showMember), next_cursor: page.nextCursor }
    },
  )

  app.post(
    '/console/companies/:company_id/members',
    route(addMemberContract),
    async ({ session, params, body }, reply) => {
      const member = await addMember(context, session, params.company_id, {
        personalNumber: body.personal_number,
        role: body.role,
      })
      return reply.code(201).send(showMember(member))
    },
  )

  app.patch(
    '/console/companies/:company_id/members/:member_id',
    route(changeRoleContract),
    async ({ session, params, body }) =>
      showMember(await changeRole(context, session, params.company_id, params.member_id, body.role)),
  )

  app.delete(
    '/console/companies/:company_id/members/:member_id',
    route(removeMemberContract),
    async ({ session, params }, reply) => {
      await removeMember(context, session, params.company_id, params.member_id)
      return reply.code(204).send()
    },
  )
}
