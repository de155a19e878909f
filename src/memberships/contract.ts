import { Type } from 'typebox'
import { roles } from '../access/role.ts'
import {
  CompanyParams,
  DateTime,
  NextCursor,
  NoFields,
  OrNull,
  PageQuery,
  Uuid,
} from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'

const RoleName = Type.Enum([...roles], {
  description:
    '`owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.',
})

const SignedConnections = Type.Integer({
  minimum: 0,
  description:
    'The company’s own connections that they made, and that are signed and neither revoked nor expired; at most 1,000 ' +
    'are counted.',
})

const memberSchema = Type.Object(
  {
    member_id: Uuid('The person.'),
    name: OrNull(
      Type.String({ description: 'Null until they have opened the company since they were added.' }),
    ),
    label: OrNull(
      Type.String({
        description:
          'What the owner who added them calls them; null where nothing was written, and once they have opened the company.',
      }),
    ),
    role: RoleName,
    added_by: OrNull(Uuid('Who invited them; null for the operator.')),
    added_at: DateTime('When.'),
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
    'At most 100 characters, to tell people apart whose names are not known yet. No personal number.',
})

const ownerNeedsSignIn = {
  code: 'sign_in_again',
  when: 'The role is `owner`, and the session’s sign-in is too old.',
} as const

const lastOwner = { code: 'conflict', when: 'They are the last owner of the company.' } as const

export const listMembersContract = contract({
  api: 'console',
  operationId: 'listMembers',
  summary: 'List the members of a company',
  description: 'Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The members.',
      body: Type.Object(
        { members: Type.Array(memberSchema), next_cursor: NextCursor },
        { title: 'MemberList' },
      ),
    },
  },
})

export const showOwnMembershipContract = contract({
  api: 'console',
  operationId: 'showOwnMembership',
  summary: 'Show what you are in a company',
  description: 'And what you would leave behind there. For every member.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  responses: {
    200: {
      description: 'Your membership.',
      body: Type.Object(
        {
          role: RoleName,
          added_at: DateTime('Since when.'),
          signed_connections: SignedConnections,
          last_owner: Type.Boolean({ description: 'You are the only owner, and cannot leave.' }),
        },
        { title: 'OwnMembership' },
      ),
    },
  },
})

export const addMemberContract = contract({
  api: 'console',
  operationId: 'addMember',
  summary: 'Invite a person',
  description:
    'By personal number: from their next sign-in they are a member. The number is not kept. Until they have opened the ' +
    'company, it sees the label alone. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  body: Type.Object(
    {
      personal_number: Type.String({ maxLength: 20, description: 'Twelve digits, or the form with - or +.' }),
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
      when: '`personal_number` is none; `label` is empty, too long, or holds a personal number or characters that cannot be seen.',
    },
    {
      code: 'conflict',
      when: 'They are a member already, or the company has as many as it may; the message says how many.',
    },
    {
      code: 'rate_limited',
      when: 'You, or the owners of the company together, added too many people; wait `Retry-After` seconds.',
    },
  ],
})

export const changeRoleContract = contract({
  api: 'console',
  operationId: 'changeRole',
  summary: 'Give a member another role',
  description: 'Counts from their next call. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: MemberParams,
  body: Type.Object({ role: RoleName }, { additionalProperties: false, title: 'RoleChange' }),
  responses: { 200: { description: 'The member.', body: memberSchema } },
  errors: [lastOwner, ownerNeedsSignIn],
})

export const dismissNoticesContract = contract({
  api: 'console',
  operationId: 'dismissNotices',
  summary: 'Dismiss notices of a company',
  description: 'Up to one of them, for you alone. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  body: Type.Object(
    { through: Uuid('The event of the last notice that is dismissed.') },
    { additionalProperties: false, title: 'DismissedNotices' },
  ),
  responses: { 204: { description: 'Dismissed.' } },
})

export const removeMemberContract = contract({
  api: 'console',
  operationId: 'removeMember',
  summary: 'End a membership',
  description: 'Counts from their next call. Owners end anyone’s; everybody may end their own.',
  tags: ['Members'],
  guard: 'session',
  params: MemberParams,
  responses: { 204: { description: 'It is over.' } },
  errors: [lastOwner],
})

const invitationSchema = Type.Object(
  {
    invitation_id: Uuid('The link.'),
    role: RoleName,
    label: OrNull(Type.String({ description: 'For whom it was made, where that was said.' })),
    made_by: Type.Object({
      member_id: Uuid('Who made it.'),
      name: OrNull(Type.String({ description: 'Their name.' })),
    }),
    made_at: DateTime('When.'),
    expires_at: DateTime('7 days later: then it opens nothing.'),
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
      description: 'From the fragment of the link: in a body alone, never in an address.',
    }),
  },
  { additionalProperties: false, title: 'InvitationToken' },
)

const closedLink = {
  code: 'not_found',
  when: 'The link was used by somebody else or withdrawn, whoever made it is no owner any more, or its time is over.',
} as const

export const listInvitationsContract = contract({
  api: 'console',
  operationId: 'listInvitations',
  summary: 'List the links that invite to a company',
  description:
    'Those that may still be used, newest first. What became of the others is in `listAuditEvents`. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  query: PageQuery,
  responses: {
    200: {
      description: 'The links, without their tokens.',
      body: Type.Object(
        { invitations: Type.Array(invitationSchema), next_cursor: NextCursor },
        { title: 'InvitationList' },
      ),
    },
  },
})

export const makeInvitationContract = contract({
  api: 'console',
  operationId: 'makeInvitation',
  summary: 'Invite a person by a link',
  description:
    'Whoever signs in with the link first becomes a member: one person, once, within 7 days. It opens nothing once whoever ' +
    'made it is no owner. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
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
            description: 'To be given to the person. Its token is the fragment. Shown here and never again.',
          }),
        },
        { title: 'MadeInvitation' },
      ),
    },
  },
  errors: [
    ownerNeedsSignIn,
    {
      code: 'invalid_argument',
      when: '`label` is empty, too long, or holds a personal number or characters that cannot be seen.',
    },
    { code: 'conflict', when: 'The company has 100 links that may still be used.' },
  ],
})

export const withdrawInvitationContract = contract({
  api: 'console',
  operationId: 'withdrawInvitation',
  summary: 'Withdraw a link',
  description: 'It opens nothing from now on. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: InvitationParams,
  body: NoFields,
  responses: { 204: { description: 'It is withdrawn.' } },
  errors: [
    {
      code: 'not_found',
      when: 'You are no member of such a company, or it has no link of that id that may still be used.',
    },
  ],
})

export const showInvitationContract = contract({
  api: 'console',
  operationId: 'showInvitation',
  summary: 'Read what a link invites to',
  description: 'For whoever has it and is signed in. Nothing is accepted by that.',
  tags: ['Members'],
  guard: 'session',
  body: Token,
  responses: {
    200: {
      description: 'What it invites to.',
      body: Type.Object(
        {
          company: Type.Object({
            orgnr: Type.String({ description: 'Organisation number as it is shown.' }),
            name: Type.String({ description: 'Its name.' }),
          }),
          role: RoleName,
          made_by: Type.Object({ name: OrNull(Type.String({ description: 'The name of who invites.' })) }),
          expires_at: DateTime('When the link opens nothing any more.'),
          current_role: OrNull(
            Type.Enum([...roles], {
              description: 'What you are in the company already; null where you are no member.',
            }),
          ),
        },
        { title: 'InvitationToAccept' },
      ),
    },
  },
  errors: [closedLink],
})

export const acceptInvitationContract = contract({
  api: 'console',
  operationId: 'acceptInvitation',
  summary: 'Become a member by a link',
  description:
    'Of all who try, one becomes a member. Whoever has used the link gets the same answer again, and nothing is changed.',
  tags: ['Members'],
  guard: 'session',
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
      when: 'You are a member already, and the link stays for somebody else; or the company has as many as it may.',
    },
  ],
})

export const makeDemoCompanyContract = contract({
  api: 'console',
  operationId: 'makeDemoCompany',
  summary: 'Make a company of your own',
  description:
    'On demo deployments only, where `identity.demo` of the session is true: a company with a made-up number, 559999-…, of ' +
    'which you are the owner.',
  tags: ['Companies'],
  guard: 'session',
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
          orgnr: Type.String({ description: 'Its made-up number, as it is shown.' }),
          name: Type.String({ description: 'Its name.' }),
          time_zone: Type.String({ description: 'IANA name; days, weeks and months are counted in it.' }),
          role: RoleName,
        },
        { title: 'DemoCompany' },
      ),
    },
  },
  errors: [
    { code: 'invalid_argument', when: '`name` is empty, too long, or holds characters that cannot be seen.' },
    { code: 'not_found', when: 'This is no demo deployment.' },
    { code: 'conflict', when: 'All made-up numbers are taken.' },
    {
      code: 'rate_limited',
      when: 'Too many companies were made from your network; wait `Retry-After` seconds.',
    },
  ],
})
