import { Option, type Command } from 'commander'
import { addMember } from '../../console/memberships/add-member.ts'
import { changeRole } from '../../console/memberships/change-role.ts'
import { listMembers } from '../../console/memberships/list-members.ts'
import type { Member } from '../../console/memberships/member.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import { roles, type Role } from '../../people/access/role.ts'
import { addCompanyCommand, type CommandAnswer, type CompanyCommandContext } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { confirmed, everyPage, namedMember, readPersonalNumber, yesOption } from './read-input.ts'
import { formatTable, toFieldsAnswer } from './table.ts'

function memberAnswer(member: Member) {
  return {
    member_id: member.member_id,
    // The operator's label, until they have opened the company.
    name: member.name ?? member.label,
    role: member.role,
    added_at: member.added_at.toISOString(),
  }
}

const numberOption = '--personal-number'
const numberHelp =
  'twelve digits, or ten with - or +; "-" reads it from standard input; prompted for by default'

interface PersonDefinition {
  name: string
  description: string
  example?: string
  options?: (command: Command) => Command
}

/** Adds a command on one person of a company. */
function addPersonCommand<Options extends object = object>(
  parent: Command,
  { example = '', options = (command) => command, ...definition }: PersonDefinition,
  run: (
    context: CompanyCommandContext,
    companyId: string,
    personalNumber: string,
    options: Options,
  ) => Promise<CommandAnswer>,
): void {
  addCompanyCommand<Options & { personalNumber?: string }>(
    parent,
    {
      ...definition,
      example: `${numberOption} - ${example}`,
      options: (command) => options(command.option(`${numberOption} <number>`, numberHelp)),
    },
    async (context, { companyId }, given) =>
      run(context, companyId, await readPersonalNumber(given.personalNumber, numberOption), given),
  )
}

function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory()
}

async function listAnswers(context: CompanyCommandContext, companyId: string) {
  const listed = await everyPage((page) => listMembers(context, 'operator', companyId, page))
  return listed.map(memberAnswer)
}

/** `member add`, `role`, `remove`, `list`, `show` */
export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('manage the members of companies and their roles')
  addPersonCommand<{ name?: string; role: Role }>(
    member,
    {
      name: 'add',
      description: 'add a person by personal number; they are a member from their next sign-in',
      example: '--role owner',
      options: (command) =>
        command.option('--name <name>', 'label shown until they open the company').addOption(roleOption()),
    },
    async (context, companyId, personalNumber, { name, role }) => {
      const label = name === undefined ? {} : { label: name }
      const added = await addMember(context, 'operator', companyId, { personalNumber, role, ...label })
      return toFieldsAnswer(memberAnswer(added))
    },
  )
  addPersonCommand<{ role: Role }>(
    member,
    {
      name: 'role',
      description: "change a member's role",
      example: '--role reader',
      options: (command) => command.addOption(roleOption()),
    },
    async (context, companyId, personalNumber, { role }) => {
      const { memberId } = await namedMember(context, personalNumber)
      return toFieldsAnswer(memberAnswer(await changeRole(context, 'operator', companyId, memberId, role)))
    },
  )
  addPersonCommand<{ yes?: true }>(
    member,
    {
      name: 'remove',
      description: 'end a membership',
      options: (command) => command.option(...yesOption),
    },
    async (context, companyId, personalNumber, { yes }) => {
      const { memberId } = await namedMember(context, personalNumber)
      await confirmed(`End the membership of ${memberId}?`, yes)
      await removeMember(context, 'operator', companyId, memberId)
      return toFieldsAnswer({ member_id: memberId, removed: true })
    },
  )
  addCompanyCommand(
    member,
    { name: 'list', description: 'list the members of a company' },
    async (context, { companyId }) => {
      const members = await listAnswers(context, companyId)
      const columns = ['member_id', 'role', 'name', 'added_at']
      return { json: { members }, text: formatTable(columns, members, 'The company has no members yet.') }
    },
  )
  addPersonCommand(
    member,
    { name: 'show', description: 'show a member' },
    async (context, companyId, personalNumber) => {
      const { memberId } = await namedMember(context, personalNumber)
      const shown = (await listAnswers(context, companyId)).find((each) => each.member_id === memberId)
      if (shown === undefined) throw new OperatorError('This person is not a member of the company.')
      return toFieldsAnswer(shown)
    },
  )
}
