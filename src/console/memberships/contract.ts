import { Type } from 'typebox'
import { roles } from '../../people/access/role.ts'
import {
  CompanyParams,
  DateTime,
  Flag,
  ListPage,
  NoFields,
  OrNull,
  PageQuery,
  Text,
  Uuid,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'

const RoleName = Type.Enum([...roles], {
  description:
    '`owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.',
})

const SignedConnections = Type.Integer({
  minimum: 0,
  description:
    'The company’s own connections that they created, signed and active; at most 1,000 are counted.',
})

const memberSchema = Type.Object(
  {
    member_id: Uuid('The person.'),
    name: OrNull(Text('Null until they have opened the company since they were added.')),
    label: OrNull(
      Text('What the owner who added them calls them, if anything; null once they have opened the company.'),
    ),
    role: RoleName,
    added_by: OrNull(Uuid('Who added them; null for the operator.')),
    added_at: DateTime('When they were added.'),
    last_sign_in_at: OrNull(
      DateTime('Null until they have signed in and opened the company since they were added.'),
    ),
    signed_connections: SignedConnections,
  },
  { title: 'Member' },
)

const MemberParams = Type.Object({ company_id: Uuid('The company.'), member_id: Uuid('The person.') })

const Label = Type.String({
  maxLength: 400,
  description:
    'At most 100 characters, to identify a person whose name is not known yet. Not a personal number.',
})
const wrongLabel =
  '`label` is empty, too long, or contains a personal number or invisible characters.' as const
const CompanyName = {
  orgnr: Text('Organisation number as it is displayed.'),
  name: Text('Its name.'),
}

const ownerNeedsSignIn = {
  code: 'sign_in_again',
  when: 'The role is `owner`, and the session’s sign-in is too old.',
} as const

const lastOwner = { code: 'conflict', when: 'They are the last owner of the company.' } as const

export const listMembersContract = sessionContract({
  operationId: 'listMembers',
  summary: 'List the members of a company',
  description: 'Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  query: PageQuery,
  responses: { 200: { description: 'The members.', body: ListPage('members', memberSchema, 'MemberList') } },
})

export const showOwnMembershipContract = sessionContract({
  operationId: 'showOwnMembership',
  summary: 'Show your membership of a company',
  description: 'And what you would leave behind. For every member.',
  tags: ['Members'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'Your membership.',
      body: Type.Object(
        {
          role: RoleName,
          added_at: DateTime('When you were added.'),
          signed_connections: SignedConnections,
          last_owner: Flag('Whether you are the only owner, who cannot leave.'),
        },
        { title: 'OwnMembership' },
      ),
    },
  },
})

export const addMemberContract = sessionContract({
  operationId: 'addMember',
  summary: 'Invite a person',
  description:
    'By personal number: from their next sign-in they are a member. The number is not stored. Until they have opened the ' +
    'company, it shows only the label. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  body: Type.Object(
    {
      personal_number: Type.String({ maxLength: 20, description: 'Twelve digits, or ten with - or +.' }),
      role: RoleName,
      label: Type.Optional(Label),
    },
    { additionalProperties: false, title: 'NewMember' },
  ),
  responses: { 201: { description: 'The member.', body: memberSchema } },
  errors: [
    ownerNeedsSignIn,
    {
      code: 'invalid_argument',
      when: `\`personal_number\` is not one; ${wrongLabel}`,
    },
    {
      code: 'conflict',
      when: 'They are already a member, or the company has reached its limit; the message says how many.',
    },
    {
      code: 'rate_limited',
      when: 'You, or all owners of the company, added too many people; wait `Retry-After` seconds.',
    },
  ],
})

export const changeRoleContract = sessionContract({
  operationId: 'changeRole',
  summary: 'Give a member another role',
  description: 'From their next call. Needs the role `owner`.',
  tags: ['Members'],
  params: MemberParams,
  body: Type.Object({ role: RoleName }, { additionalProperties: false, title: 'RoleChange' }),
  responses: { 200: { description: 'The member.', body: memberSchema } },
  errors: [lastOwner, ownerNeedsSignIn],
})

export const dismissNoticesContract = sessionContract({
  operationId: 'dismissNotices',
  summary: 'Dismiss notices of a company',
  description: 'Up to one of them, only for you. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  body: Type.Object(
    { through: Uuid('The event of the last notice to dismiss.') },
    { additionalProperties: false, title: 'DismissedNotices' },
  ),
  responses: { 204: { description: 'Dismissed.' } },
})

export const removeMemberContract = sessionContract({
  operationId: 'removeMember',
  summary: 'End a membership',
  description: 'From their next call. Owners may end anyone’s; members may end their own.',
  tags: ['Members'],
  params: MemberParams,
  responses: { 204: { description: 'Ended.' } },
  errors: [lastOwner],
})

const invitationSchema = Type.Object(
  {
    invitation_id: Uuid('The link.'),
    role: RoleName,
    label: OrNull(Text('Whom it is for, if its creator said so.')),
    created_by: Type.Object({ member_id: Uuid('Who created it.'), name: OrNull(Text('Their name.')) }),
    created_at: DateTime('When it was created.'),
    expires_at: DateTime('7 days later.'),
  },
  { title: 'Invitation', description: 'A link with which one person, once, becomes a member.' },
)

const InvitationParams = Type.Object({
  company_id: Uuid('The company.'),
  invitation_id: Uuid('The link.'),
})

const Token = Type.Object(
  {
    token: Type.String({
      maxLength: 100,
      description: 'From the fragment of the link: sent only in a body, never in an address.',
    }),
  },
  { additionalProperties: false, title: 'InvitationToken' },
)

const closedLink = {
  code: 'not_found',
  when: 'The link was used by another person, was withdrawn or has expired, or its creator is no longer an owner.',
} as const

export const listInvitationsContract = sessionContract({
  operationId: 'listInvitations',
  summary: 'List the open invitation links of a company',
  description: 'Newest first. `listAuditEvents` has what became of the others. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The links, without their tokens.',
      body: ListPage('invitations', invitationSchema, 'InvitationList'),
    },
  },
})

export const createInvitationContract = sessionContract({
  operationId: 'createInvitation',
  summary: 'Invite a person by a link',
  description:
    'The first person to sign in with it becomes a member, within 7 days. The link closes when its creator stops being an ' +
    'owner. Needs the role `owner`.',
  tags: ['Members'],
  params: CompanyParams,
  body: Type.Object(
    { role: RoleName, label: Type.Optional(Label) },
    { additionalProperties: false, title: 'NewInvitation' },
  ),
  responses: {
    201: {
      description: 'The link.',
      body: Type.Object(
        {
          invitation: invitationSchema,
          link: Type.String({
            format: 'uri',
            description: 'For the person. Its token is the fragment. Never shown again.',
          }),
        },
        { title: 'CreatedInvitation' },
      ),
    },
  },
  errors: [
    ownerNeedsSignIn,
    { code: 'invalid_argument', when: wrongLabel },
    { code: 'conflict', when: 'The company has 100 open links.' },
  ],
})

export const withdrawInvitationContract = sessionContract({
  operationId: 'withdrawInvitation',
  summary: 'Withdraw an invitation link',
  description: 'Needs the role `owner`.',
  tags: ['Members'],
  params: InvitationParams,
  body: NoFields,
  responses: { 204: { description: 'Withdrawn.' } },
  errors: [
    { code: 'not_found', when: 'You are not a member of such a company, or it has no such open link.' },
  ],
})

export const showInvitationContract = sessionContract({
  operationId: 'showInvitation',
  summary: 'Read what a link invites to',
  description: 'For anyone with the link who is signed in. It accepts nothing.',
  tags: ['Members'],
  body: Token,
  responses: {
    200: {
      description: 'What it invites to.',
      body: Type.Object(
        {
          company: Type.Object(CompanyName),
          role: RoleName,
          created_by: Type.Object({ name: OrNull(Text('The name of the owner who invites.')) }),
          expires_at: DateTime('When the link expires.'),
          current_role: OrNull(
            Type.Enum([...roles], { description: 'Your role in the company; null if you are not a member.' }),
          ),
        },
        { title: 'InvitationToAccept' },
      ),
    },
  },
  errors: [closedLink],
})

export const acceptInvitationContract = sessionContract({
  operationId: 'acceptInvitation',
  summary: 'Become a member by a link',
  description:
    'One person may use a link. Using it again gives that person the same answer and changes nothing.',
  tags: ['Members'],
  body: Token,
  responses: {
    200: {
      description: 'You are a member.',
      body: Type.Object(
        { company_id: Uuid('The company.'), role: RoleName },
        { title: 'AcceptedInvitation' },
      ),
    },
  },
  errors: [
    closedLink,
    {
      code: 'conflict',
      when: 'You are already a member, and the link stays open; or the company has reached its limit.',
    },
  ],
})

export const createDemoCompanyContract = sessionContract({
  operationId: 'createDemoCompany',
  summary: 'Create a company of your own',
  description:
    'On demo deployments only, where `identity.demo` of the session is true: a company with a made-up number, 559999-…, of ' +
    'which you are the owner.',
  tags: ['Companies'],
  body: Type.Object(
    { name: Type.String({ maxLength: 400, description: 'At most 100 characters.' }) },
    { additionalProperties: false, title: 'NewDemoCompany' },
  ),
  responses: {
    201: {
      description: 'The company.',
      body: Type.Object(
        {
          company_id: Uuid('The company.'),
          ...CompanyName,
          time_zone: Text('IANA name; days, weeks and months are counted in it.'),
          role: RoleName,
        },
        { title: 'DemoCompany' },
      ),
    },
  },
  errors: [
    { code: 'invalid_argument', when: '`name` is empty, too long, or contains invisible characters.' },
    { code: 'not_found', when: 'This is not a demo deployment.' },
    { code: 'conflict', when: 'All made-up numbers are taken.' },
    {
      code: 'rate_limited',
      when: 'Too many companies were created from your network; wait `Retry-After` seconds.',
    },
  ],
})
