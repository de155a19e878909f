import type { AppContext } from '../app-context.ts'
import { Option, type Command } from 'commander'
import { connectionAnswer } from '../../company/connections/connection-answer.ts'
import {
  servicePermissions,
  type Connection,
  type CredentialKind,
  type ServicePermission,
} from '../../company/connections/connection.ts'
import { listConnections, showConnection } from '../../company/connections/list-connections.ts'
import { createConnection } from '../../company/connections/create-connection.ts'
import { releaseConnection } from '../../company/connections/release-connection.ts'
import { revokeConnection } from '../../company/connections/revoke-connection.ts'
import { overlapHoursDefault, rotateConnection } from '../../company/connections/rotate-connection.ts'
import type { SignedConnection } from '../../company/connections/sign-connection.ts'
import { signWithDemoIdentity } from '../../company/connections/sign-with-demo-identity.ts'
import { parsePersonalNumber } from '../../formats/values/personal-number.ts'
import { printable } from '../../formats/values/printable.ts'
import { confirmed, readPersonalNumber, yesOption } from './ask.ts'
import { everyPage } from './every-page.ts'
import { withExample } from './examples.ts'
import { namedCompany, namedMember } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId, parseList, parseWholeNumber } from './read-input.ts'
import { runCommand } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

/** What a client calls its secret (RFC 6749, 2.3.1); a static credential is sent as it is. */
function toSecretFields(connection: Connection, secret: string | null): Record<string, string> {
  if (secret === null) return {}
  return connection.credentialKind === 'client' ? { client_secret: secret } : { credential: secret }
}

/** A connection, with the secret that this very command gave it. */
function connectionText(
  connection: Connection,
  secret: string | null = null,
): { json: Record<string, unknown>; text: string } {
  const answer = connectionAnswer(connection)
  const secrets = toSecretFields(connection, secret)
  return { json: { connection: answer, ...secrets }, text: formatFields({ ...answer, ...secrets }) }
}

function parsePermissions(names: string[]): ServicePermission[] {
  const known: readonly string[] = servicePermissions
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new OperatorError(
      `There is no permission ${unknown}; there are ${servicePermissions.join(' and ')}.`,
    )
  }
  return names as ServicePermission[]
}

interface AddOptions {
  company: string
  creator?: string
  source?: string
  permissions: string[]
  kind: 'production' | 'sandbox'
  credential: CredentialKind
  name: string
  furtherCompanies?: string[]
}

const creatorOption = '--creator'
const creatorHelp =
  'personal number of its member; "-" reads it from standard input; without it you are prompted'

/** What is left to do before a new connection opens anything. */
function nextStep(
  context: AppContext,
  { connectionId }: Connection,
  companyId: string,
  orgnr: string,
): string {
  return context.identity.demo
    ? `Now sign it: numera connection sign --company ${orgnr} --connection ${connectionId}`
    : `Now its creator signs it: ${context.config.baseUrl}/companies/${companyId}/connections/${connectionId}`
}

function registerAdd(parent: Command): void {
  withExample(parent.command('add'), 'connection add --company 556016-0680 --creator - --source 0198…')
    .description('create a connection; it is not accepted until its creator has signed it')
    .requiredOption('--company <orgnr>', 'the company')
    .option(`${creatorOption} <number>`, creatorHelp)
    .option('--source <id>', 'the source it is bound to; left out: each call names one', parseId)
    .option('--permissions <list>', 'with commas', parseList, ['sources.ingest', 'metrics.read'])
    .addOption(
      new Option('--kind <kind>', 'what sandbox sends is test data')
        .choices(['production', 'sandbox'])
        .default('production'),
    )
    .addOption(
      new Option('--credential <kind>', 'client: id and secret for tokens; static: sent as it is')
        .choices(['client', 'static'])
        .default('client'),
    )
    .option('--name <name>', 'as people know it', 'Connection')
    .option(
      '--further-companies <list>',
      'organisation numbers with commas; only without --source',
      parseList,
    )
    .option('--json', 'answer in JSON')
    .action(async (options: AddOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const creatorNumber = await readPersonalNumber(options.creator, creatorOption)
        const { memberId } = await namedMember(context, creatorNumber)
        const furtherCompanyIds: string[] = []
        for (const orgnr of options.furtherCompanies ?? []) {
          furtherCompanyIds.push((await namedCompany(context, orgnr)).companyId)
        }
        const { connection, credential } = await createConnection(context, memberId, companyId, {
          name: options.name,
          sourceId: options.source ?? null,
          permissions: parsePermissions(options.permissions),
          kind: options.kind,
          credentialKind: options.credential,
          furtherCompanyIds,
        })
        const created = connectionText(connection, credential)
        return {
          ...created,
          text: `${created.text}\n${nextStep(context, connection, companyId, options.company)}`,
        }
      })
    })
}

async function signWithDemo(
  context: AppContext,
  companyId: string,
  connectionId: string,
  personalNumber: string,
): Promise<SignedConnection> {
  if (!context.identity.demo) {
    throw new OperatorError(
      'Only the demo’s electronic identity signs here; people sign on the company’s pages.',
    )
  }
  const { memberId, name } = await namedMember(context, personalNumber)
  const digits = parsePersonalNumber(personalNumber, new Date(context.clock.now()))!
  const person = { personalNumber: digits, name: name ?? 'Demo' }
  return signWithDemoIdentity(context, memberId, companyId, connectionId, person)
}

interface ConnectionOptions {
  company: string
  connection: string
}

function onConnection(parent: Command, name: string, description: string, example = ''): Command {
  return withExample(
    parent.command(name),
    `connection ${name} --company 556016-0680 --connection 0198…${example}`,
  )
    .description(description)
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--connection <id>', 'the connection', parseId)
    .option('--json', 'answer in JSON')
}

function registerSign(connection: Command): void {
  onConnection(
    connection,
    'sign',
    'sign a connection as its creator, with the demo’s electronic identity',
    ' --creator -',
  )
    .option(`${creatorOption} <number>`, creatorHelp)
    .action(async (options: ConnectionOptions & { creator?: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const creatorNumber = await readPersonalNumber(options.creator, creatorOption)
        const { connection: signed, secret } = await signWithDemo(
          context,
          companyId,
          options.connection,
          creatorNumber,
        )
        return connectionText(signed, secret)
      })
    })
}

function registerRotate(connection: Command): void {
  onConnection(connection, 'rotate', 'give a connection a new secret or static credential')
    .option(
      '--overlap-hours <number>',
      'how long the old one works, 0 to 168',
      parseWholeNumber,
      overlapHoursDefault,
    )
    .action(async (options: ConnectionOptions & { overlapHours: number }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const rotated = await rotateConnection(
          context,
          'operator',
          companyId,
          options.connection,
          options.overlapHours,
        )
        return connectionText(rotated.connection, rotated.credential)
      })
    })
}

function registerRevoke(connection: Command): void {
  onConnection(connection, 'revoke', 'end a connection for good')
    .option(...yesOption)
    .action(async (options: ConnectionOptions & { yes?: true }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { name } = await showConnection(context, 'operator', companyId, options.connection)
        await confirmed(`End the connection "${printable(name)}"?`, options.yes)
        const json = connectionAnswer(
          await revokeConnection(context, 'operator', companyId, options.connection),
        )
        return { json, text: formatFields(json) }
      })
    })
}

function registerRelease(connection: Command): void {
  onConnection(connection, 'release', 'take a company off another one’s connection that acts on it')
    .option(...yesOption)
    .action(async (options: ConnectionOptions & { yes?: true }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId, name } = await namedCompany(context, options.company)
        await showConnection(context, 'operator', companyId, options.connection)
        await confirmed(`Take ${printable(name)} off the connection?`, options.yes)
        await releaseConnection(context, 'operator', companyId, options.connection)
        const json = { connection_id: options.connection, released: true }
        return { json, text: formatFields(json) }
      })
    })
}

function registerShow(connection: Command): void {
  onConnection(connection, 'show', 'show a connection').action(
    async (options: ConnectionOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const json = connectionAnswer(
          await showConnection(context, 'operator', companyId, options.connection),
        )
        return { json, text: formatFields(json) }
      })
    },
  )
}

const listColumns = [
  'connection_id',
  'name',
  'state',
  'kind',
  'permissions',
  'source.name',
  'expires_at',
  'company.name',
]

function registerList(connection: Command): void {
  withExample(connection.command('list'), 'connection list --company 556016-0680')
    .description('list the connections of a company, and those of others that act on it')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const listed = await everyPage((page) => listConnections(context, 'operator', companyId, page))
        const connections = listed.map(connectionAnswer)
        const text = formatTable(listColumns, connections, 'The company has no connections yet.')
        return { json: { connections }, text }
      })
    })
}

/** `connection add`, `sign`, `rotate`, `revoke`, `release`, `show`, `list` */
export function addConnectionCommands(program: Command): void {
  const connection = program.command('connection').description('what systems and scripts call with')
  registerAdd(connection)
  registerSign(connection)
  registerRotate(connection)
  registerRevoke(connection)
  registerRelease(connection)
  registerShow(connection)
  registerList(connection)
}
