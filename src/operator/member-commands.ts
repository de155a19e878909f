import { Option, type Command } from 'commander'
import { addMember } from '../memberships/add-member.ts'
import { changeRole } from '../memberships/change-role.ts'
import { listMembers } from '../memberships/list-members.ts'
import type { Member } from '../memberships/member.ts'
import { removeMember } from '../memberships/remove-member.ts'
import { roles, type Role } from '../access/role.ts'
import { everyPage } from './every-page.ts'
import { namedCompany, namedMember } from './named-company.ts'
import { readSecretly } from './read-input.ts'
import { runCommand } from './run-command.ts'

function memberAnswer(member: Member) {
  return {
    member_id: member.memberId,
    name: member.name,
    role: member.role,
    added_at: member.addedAt.toISOString(),
  }
}

function memberLine(member: Member): string {
  return `${member.memberId}  ${member.role}  ${member.name ?? '(has not signed in yet)'}`
}

interface MemberOptions {
  company: string
  personalNumber: string
}

const numberHelp = 'twelve digits, or the form with - or +; "-" reads it from standard input'

function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory()
}

function registerAdd(member: Command): void {
  member
    .command('add')
    .description('let a person in by personal number, from their next sign-in on')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--personal-number <number>', numberHelp)
    .option('--name <name>', 'shown until they sign in')
    .addOption(roleOption())
    .option('--json', 'answer in JSON')
    .action(async (options: MemberOptions & { name?: string; role: Role }, command: Command) => {
      const personalNumber = await readSecretly(options.personalNumber)
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const added = await addMember(context, 'operator', companyId, {
          personalNumber,
          role: options.role,
          ...(options.name === undefined ? {} : { name: options.name }),
        })
        return { json: memberAnswer(added), text: memberLine(added) }
      })
    })
}

function registerRole(member: Command): void {
  member
    .command('role')
    .description('give a member another role')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--personal-number <number>', numberHelp)
    .addOption(roleOption())
    .option('--json', 'answer in JSON')
    .action(async (options: MemberOptions & { role: Role }, command: Command) => {
      const personalNumber = await readSecretly(options.personalNumber)
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { memberId } = await namedMember(context, personalNumber)
        const changed = await changeRole(context, 'operator', companyId, memberId, options.role)
        return { json: memberAnswer(changed), text: memberLine(changed) }
      })
    })
}

function registerRemove(member: Command): void {
  member
    .command('remove')
    .description('end a membership')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--personal-number <number>', numberHelp)
    .option('--json', 'answer in JSON')
    .action(async (options: MemberOptions, command: Command) => {
      const personalNumber = await readSecretly(options.personalNumber)
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { memberId } = await namedMember(context, personalNumber)
        await removeMember(context, 'operator', companyId, memberId)
        return { json: { member_id: memberId, removed: true }, text: `${memberId}  removed` }
      })
    })
}

function registerList(member: Command): void {
  member
    .command('list')
    .description('list the members of a company')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const members = await everyPage((page) => listMembers(context, 'operator', companyId, page))
        return {
          json: { members: members.map(memberAnswer) },
          text: members.map(memberLine).join('\n') || 'The company has no members yet.',
        }
      })
    })
}

/** `member add`, `member role`, `member remove`, `member list` */
export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('who may do what for a company')
  registerAdd(member)
  registerRole(member)
  registerRemove(member)
  registerList(member)
}
