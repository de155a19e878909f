import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { addMember } from './add-member.ts'
import { changeRole } from './change-role.ts'
import {
  acceptInvitationContract,
  addMemberContract,
  changeRoleContract,
  dismissNoticesContract,
  listInvitationsContract,
  listMembersContract,
  makeDemoCompanyContract,
  makeInvitationContract,
  removeMemberContract,
  showInvitationContract,
  showOwnMembershipContract,
  withdrawInvitationContract,
} from './contract.ts'
import { dismissNotices } from './dismiss-notices.ts'
import type { Invitation } from './invitation.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { makeDemoCompany } from './make-demo-company.ts'
import { makeInvitation } from './make-invitation.ts'
import type { Member } from './member.ts'
import { removeMember } from './remove-member.ts'
import { showInvitation } from './show-invitation.ts'
import { showOwnMembership } from './show-own-membership.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

function showMember(member: Member) {
  return {
    member_id: member.memberId,
    name: member.name,
    label: member.label,
    role: member.role,
    added_by: member.addedBy,
    added_at: member.addedAt.toISOString(),
    last_sign_in_at: member.lastSignInAt?.toISOString() ?? null,
    signed_connections: member.signedConnections,
  }
}

function showLink(invitation: Invitation) {
  return {
    invitation_id: invitation.invitationId,
    role: invitation.role,
    label: invitation.label,
    made_by: { member_id: invitation.madeBy.memberId, name: invitation.madeBy.name },
    made_at: invitation.madeAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  }
}

/** The members of a company, and how people become members: for the pages. */
export async function registerMembershipRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)
  registerMemberRoutes(app, context)
  registerInvitationRoutes(app, context)
  registerNoticeRoutes(app, context)
  if (context.identity.demo) registerDemoCompanyRoutes(app, context)
}

function registerMemberRoutes(app: App, context: Context): void {
  app.get(
    '/console/companies/:company_id/members',
    route(listMembersContract),
    async ({ session, params, query }) => {
      const page = await listMembers(context, session, params.company_id, pageRequestOf(query))
      return { members: page.items.map(showMember), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/console/companies/:company_id/membership',
    route(showOwnMembershipContract),
    async ({ session, params }) => {
      const own = await showOwnMembership(context, session.memberId, params.company_id)
      return {
        role: own.role,
        added_at: own.addedAt.toISOString(),
        signed_connections: own.signedConnections,
        last_owner: own.isLastOwner,
      }
    },
  )

  app.post(
    '/console/companies/:company_id/members',
    route(addMemberContract),
    async ({ session, params, body }, reply) => {
      const member = await addMember(context, session, params.company_id, {
        personalNumber: body.personal_number,
        role: body.role,
        ...(body.label === undefined ? {} : { label: body.label }),
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

function registerNoticeRoutes(app: App, context: Context): void {
  app.post(
    '/console/companies/:company_id/notices/dismiss',
    route(dismissNoticesContract),
    async ({ session, params, body }, reply) => {
      await dismissNotices(context, session, params.company_id, body.through)
      return reply.code(204).send()
    },
  )
}

const invitations = '/console/companies/:company_id/invitations'

function registerInvitationRoutes(app: App, context: Context): void {
  app.get(invitations, route(listInvitationsContract), async ({ session, params, query }) => {
    const page = await listInvitations(context, session, params.company_id, pageRequestOf(query))
    return { invitations: page.items.map(showLink), next_cursor: page.nextCursor }
  })

  app.post(invitations, route(makeInvitationContract), async ({ session, params, body }, reply) => {
    const { invitation, link } = await makeInvitation(context, session, params.company_id, {
      role: body.role,
      ...(body.label === undefined ? {} : { label: body.label }),
    })
    return reply.code(201).send({ invitation: showLink(invitation), link })
  })

  app.post(
    `${invitations}/:invitation_id/withdraw`,
    route(withdrawInvitationContract),
    async ({ session, params }, reply) => {
      await withdrawInvitation(context, session, params.company_id, params.invitation_id)
      return reply.code(204).send()
    },
  )

  app.post('/console/invitations/show', route(showInvitationContract), async ({ session, body }) => {
    const invitation = await showInvitation(context, session.memberId, body.token)
    return {
      company: { orgnr: formatOrgnr(invitation.company.orgnr), name: invitation.company.name },
      role: invitation.role,
      made_by: { name: invitation.madeBy.name },
      expires_at: invitation.expiresAt.toISOString(),
      current_role: invitation.currentRole,
    }
  })

  app.post('/console/invitations/accept', route(acceptInvitationContract), async ({ session, body }) => {
    const { companyId, role } = await acceptInvitation(context, session.memberId, body.token)
    return { company_id: companyId, role }
  })
}

function registerDemoCompanyRoutes(app: App, context: Context): void {
  app.post('/console/demo-companies', route(makeDemoCompanyContract), async (request, reply) => {
    const { session, body, ip } = request
    const company = await makeDemoCompany(context, session.memberId, { name: body.name }, ip)
    return reply.code(201).send({
      company_id: company.companyId,
      orgnr: formatOrgnr(company.orgnr),
      name: company.name,
      time_zone: company.timeZone,
      role: 'owner',
    })
  })
}
