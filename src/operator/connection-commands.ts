import { Option, type Command } from 'commander'
import { connectionAnswer } from '../connections/connection-answer.ts'
import {
  servicePermissions,
  type Connection,
  type CredentialKind,
  type ServicePermission,
} from '../connections/connection.ts'
import { listConnections, showConnection } from '../connections/list-connections.ts'
import { makeConnection } from '../connections/make-connection.ts'
import { releaseConnection } from '../connections/release-connection.ts'
import { revokeConnection } from '../connections/revoke-connection.ts'
import { overlapHoursDefault, rotateConnection } from '../connections/rotate-connection.ts'
import type { SignedConnection } from '../connections/sign-connection.ts'
import { signWithDemoIdentity } from '../connections/sign-with-demo-identity.ts'
import type { Context } from '../service/context.ts'
import { parsePersonalNumber } from '../values/personal-number.ts'
import { everyPage } from './every-page.ts'
import { namedCompany, namedMember } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId, parseList, parseWholeNumber, readSecretly } from './read-input.ts'
import { runCommand } from './run-command.ts'

/** @param companyId the company whose pages list it: another one's connection says whose it is */
function connectionLine(connection: Connection, companyId = connection.company.companyId): string {
  return [
    connection.connectionId,
    connection.name,
    connection.state,
    connection.kind,
    connection.permissions.join(','),
    connection.source === null ? 'bound to no source' : connection.source.name,
    connection.expiresAt === null ? '' : `until ${connection.expiresAt.toISOString()}`,
    connection.company.companyId === companyId ? '' : `of ${connection.company.name}`,
  ]
    .filter((part) => part !== '')
    .join('  ')
}

/** A secret has a line of its own, so that it can be cut out. */
function withSecrets(connection: Connection, secrets: Record<string, string | null | undefined>): string {
  return [
    connectionLine(connection),
    ...Object.entries(secrets).flatMap(([name, value]) => (value == null ? [] : [`${name}: ${value}`])),
  ].join('\n')
}

function permissionsOf(names: string[]): ServicePermission[] {
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
  maker: string
  source?: string
  permissions: string[]
  kind: 'production' | 'sandbox'
  credential: CredentialKind
  name: string
  furtherCompanies?: string[]
}

const makerHelp = 'personal number of the member whose it is; "-" reads it from standard input'

function registerAdd(parent: Command): void {
  parent
    .command('add')
    .description('make a connection; it opens nothing until its maker has signed it')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--maker <number>', makerHelp)
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
      const makerNumber = await readSecretly(options.maker)
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { memberId } = await namedMember(context, makerNumber)
        const furtherCompanyIds: string[] = []
        for (const orgnr of options.furtherCompanies ?? []) {
          furtherCompanyIds.push((await namedCompany(context, orgnr)).companyId)
        }
        const { connection, credential } = await makeConnection(context, memberId, companyId, {
          name: options.name,
          sourceId: options.source ?? null,
          permissions: permissionsOf(options.permissions),
          kind: options.kind,
          credentialKind: options.credential,
          furtherCompanyIds,
        })
        return {
          json: { connection: connectionAnswer(connection), credential },
          text: withSecrets(connection, { client_id: connection.clientId, credential }),
        }
      })
    })
}

async function signWithDemo(
  context: Context,
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

function onConnection(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--connection <id>', 'the connection', parseId)
    .option('--json', 'answer in JSON')
}

function registerSign(connection: Command): void {
  onConnection(connection, 'sign', 'sign a connection as its maker, with the demo’s electronic identity')
    .requiredOption('--maker <number>', makerHelp)
    .action(async (options: ConnectionOptions & { maker: string }, command: Command) => {
      const makerNumber = await readSecretly(options.maker)
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { connection: made, secret } = await signWithDemo(
          context,
          companyId,
          options.connection,
          makerNumber,
        )
        return {
          json: { connection: connectionAnswer(made), secret },
          text: withSecrets(made, { client_id: made.clientId, secret }),
        }
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
        return {
          json: { connection: connectionAnswer(rotated.connection), credential: rotated.credential },
          text: withSecrets(rotated.connection, { credential: rotated.credential }),
        }
      })
    })
}

function registerRevoke(connection: Command): void {
  onConnection(connection, 'revoke', 'end a connection for good').action(
    async (options: ConnectionOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const revoked = await revokeConnection(context, 'operator', companyId, options.connection)
        return { json: connectionAnswer(revoked), text: connectionLine(revoked) }
      })
    },
  )
}

function registerRelease(connection: Command): void {
  onConnection(connection, 'release', 'take a company off another one’s connection that acts on it').action(
    async (options: ConnectionOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        await releaseConnection(context, 'operator', companyId, options.connection)
        return {
          json: { connection_id: options.connection, released: true },
          text: `${options.connection}  released`,
        }
      })
    },
  )
}

function registerShow(connection: Command): void {
  onConnection(connection, 'show', 'show a connection').action(
    async (options: ConnectionOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const shown = await showConnection(context, 'operator', companyId, options.connection)
        const json = connectionAnswer(shown)
        return { json, text: JSON.stringify(json, undefined, 2) }
      })
    },
  )
}

function registerList(connection: Command): void {
  connection
    .command('list')
    .description('list the connections of a company, and those of others that act on it')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const connections = await everyPage((page) => listConnections(context, 'operator', companyId, page))
        return {
          json: { connections: connections.map(connectionAnswer) },
          text:
            connections.map((each) => connectionLine(each, companyId)).join('\n') ||
            'The company has no connections yet.',
        }
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
