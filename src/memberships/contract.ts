import { Type } from 'typebox'
import { roles } from '../access/role.ts'
import { CompanyParams, DateTime, NextCursor, OrNull, PageQuery, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'

const RoleName = Type.Enum([...roles], {
  description:
    '`owner`: everything. `developer`: sources, connections, developer page, reports. `reader`: reports.',
})

const memberSchema = Type.Object(
  {
    member_id: Uuid('The person.'),
    name: OrNull(Type.String({ description: 'Null until they have signed in for the first time.' })),
    role: RoleName,
    added_by: OrNull(Uuid('Who invited them; null for the operator.')),
    added_at: DateTime('When.'),
  },
  { title: 'Member' },
)

const MemberParams = Type.Object({ company_id: Uuid('The company.'), member_id: Uuid('The person.') })

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

export const addMemberContract = contract({
  api: 'console',
  operationId: 'addMember',
  summary: 'Invite a person',
  description:
    'By personal number: from their next sign-in they are a member. The number is not kept. Needs the role `owner`.',
  tags: ['Members'],
  guard: 'session',
  params: CompanyParams,
  body: Type.Object(
    {
      personal_number: Type.String({ maxLength: 20, description: 'Twelve digits, or the form with - or +.' }),
      role: RoleName,
    },
    { additionalProperties: false, title: 'Invitation' },
  ),
  responses: { 201: { description: 'The member.', body: memberSchema } },
  errors: [
    { code: 'invalid_argument', when: '`personal_number` is none.' },
    {
      code: 'conflict',
      when: 'They are a member already, or the company has as many as it may; the message says how many.',
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
  errors: [lastOwner],
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
