import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
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
  createDemoCompanyContract,
  createInvitationContract,
  removeMemberContract,
  showInvitationContract,
  showOwnMembershipContract,
  withdrawInvitationContract,
} from './contract.ts'
import { dismissNotices } from './dismiss-notices.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { createDemoCompany } from './create-demo-company.ts'
import { createInvitation } from './create-invitation.ts'
import { removeMember } from './remove-member.ts'
import { showInvitation } from './show-invitation.ts'
import { showOwnMembership } from './show-own-membership.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

/** The members of a company, and how people become members: for the pages. */
export async function registerMembershipRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)
  registerMemberRoutes(app, context)
  registerInvitationRoutes(app, context)
  registerNoticeRoutes(app, context)
  if (context.identity.demo) registerDemoCompanyRoutes(app, context)
}

function registerMemberRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.get(
    '/console/companies/:company_id/members',
    route(listMembersContract),
    async ({ session, params, query }) => {
      const page = await listMembers(context, session, params.company_id, toPageRequest(query))
      return { members: page.items, next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/console/companies/:company_id/membership',
    route(showOwnMembershipContract),
    ({ session, params }) => showOwnMembership(context, session.memberId, params.company_id),
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
      return reply.code(201).send(member)
    },
  )

  app.patch(
    '/console/companies/:company_id/members/:member_id',
    route(changeRoleContract),
    ({ session, params, body }) =>
      changeRole(context, session, params.company_id, params.member_id, body.role),
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

function registerNoticeRoutes(app: App, context: DirectoryContext & WithIdentity): void {
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

function registerInvitationRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.get(invitations, route(listInvitationsContract), async ({ session, params, query }) => {
    const page = await listInvitations(context, session, params.company_id, toPageRequest(query))
    return { invitations: page.items, next_cursor: page.nextCursor }
  })

  app.post(invitations, route(createInvitationContract), async ({ session, params, body }, reply) => {
    const created = await createInvitation(context, session, params.company_id, {
      role: body.role,
      ...(body.label === undefined ? {} : { label: body.label }),
    })
    return reply.code(201).send(created)
  })

  app.post(
    `${invitations}/:invitation_id/withdraw`,
    route(withdrawInvitationContract),
    async ({ session, params }, reply) => {
      await withdrawInvitation(context, session, params.company_id, params.invitation_id)
      return reply.code(204).send()
    },
  )

  app.post('/console/invitations/show', route(showInvitationContract), ({ session, body }) =>
    showInvitation(context, session.memberId, body.token),
  )

  app.post('/console/invitations/accept', route(acceptInvitationContract), ({ session, body }) =>
    acceptInvitation(context, session.memberId, body.token),
  )
}

function registerDemoCompanyRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.post('/console/demo-companies', route(createDemoCompanyContract), async (request, reply) => {
    const { session, body, ip } = request
    const company = await createDemoCompany(context, session.memberId, { name: body.name }, ip)
    return reply.code(201).send({
      company_id: company.companyId,
      orgnr: formatOrgnr(company.orgnr),
      name: company.name,
      time_zone: company.timeZone,
      role: 'owner',
    })
  })
}
