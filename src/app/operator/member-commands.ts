import { Option, type Command } from 'commander'
import { addMember } from '../../console/memberships/add-member.ts'
import { changeRole } from '../../console/memberships/change-role.ts'
import { listMembers } from '../../console/memberships/list-members.ts'
import type { Member } from '../../console/memberships/member.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import { roles, type Role } from '../../people/access/role.ts'
import { confirmed, readPersonalNumber, yesOption } from './ask.ts'
import { everyPage } from './every-page.ts'
import { withExample } from './examples.ts'
import { namedCompany, namedMember } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { runCommand } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

function memberAnswer(member: Member) {
  return {
    member_id: member.member_id,
    // The operator's own label, until they have opened the company.
    name: member.name ?? member.label,
    role: member.role,
    added_at: member.added_at.toISOString(),
  }
}

function memberText(member: Member): { json: object; text: string } {
  const json = memberAnswer(member)
  return { json, text: formatFields(json) }
}

interface MemberOptions {
  company: string
  personalNumber?: string
}

const numberOption = '--personal-number'
const numberHelp =
  'twelve digits, or ten with - or +; "-" reads it from standard input; without it you are prompted'

/** A command about one person of a company. */
function onMember(parent: Command, name: string, description: string, example = ''): Command {
  const words = `member ${name} --company 556016-0680 ${numberOption} -${example}`
  return withExample(parent.command(name), words)
    .description(description)
    .requiredOption('--company <orgnr>', 'the company')
    .option(`${numberOption} <number>`, numberHelp)
    .option('--json', 'answer in JSON')
}

function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory()
}

function registerAdd(member: Command): void {
  onMember(member, 'add', 'let a person in by personal number, from their next sign-in on', ' --role owner')
    .option('--name <name>', 'shown until they open the company')
    .addOption(roleOption())
    .action(async (options: MemberOptions & { name?: string; role: Role }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const personalNumber = await readPersonalNumber(options.personalNumber, numberOption)
        const added = await addMember(context, 'operator', companyId, {
          personalNumber,
          role: options.role,
          ...(options.name === undefined ? {} : { label: options.name }),
        })
        return memberText(added)
      })
    })
}

function registerRole(member: Command): void {
  onMember(member, 'role', 'give a member another role', ' --role reader')
    .addOption(roleOption())
    .action(async (options: MemberOptions & { role: Role }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const personalNumber = await readPersonalNumber(options.personalNumber, numberOption)
        const { memberId } = await namedMember(context, personalNumber)
        const changed = await changeRole(context, 'operator', companyId, memberId, options.role)
        return memberText(changed)
      })
    })
}

function registerRemove(member: Command): void {
  onMember(member, 'remove', 'end a membership')
    .option(...yesOption)
    .action(async (options: MemberOptions & { yes?: true }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const personalNumber = await readPersonalNumber(options.personalNumber, numberOption)
        const { memberId } = await namedMember(context, personalNumber)
        await confirmed(`End the membership of ${memberId}?`, options.yes)
        await removeMember(context, 'operator', companyId, memberId)
        const json = { member_id: memberId, removed: true }
        return { json, text: formatFields(json) }
      })
    })
}

function registerList(member: Command): void {
  withExample(member.command('list'), 'member list --company 556016-0680')
    .description('list the members of a company')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const listed = await everyPage((page) => listMembers(context, 'operator', companyId, page))
        const members = listed.map(memberAnswer)
        const columns = ['member_id', 'role', 'name', 'added_at']
        return { json: { members }, text: formatTable(columns, members, 'The company has no members yet.') }
      })
    })
}

function registerShow(member: Command): void {
  onMember(member, 'show', 'show a member').action(async (options: MemberOptions, command: Command) => {
    await runCommand(command, async (context) => {
      const { companyId } = await namedCompany(context, options.company)
      const personalNumber = await readPersonalNumber(options.personalNumber, numberOption)
      const { memberId } = await namedMember(context, personalNumber)
      const members = await everyPage((page) => listMembers(context, 'operator', companyId, page))
      const shown = members.find((each) => each.member_id === memberId)
      if (shown === undefined) throw new OperatorError('This person is not a member of the company.')
      return memberText(shown)
    })
  })
}

/** `member add`, `role`, `remove`, `list`, `show` */
export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('who may do what for a company')
  registerAdd(member)
  registerRole(member)
  registerRemove(member)
  registerList(member)
  registerShow(member)
}
