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
import { signWithDemoIdentity } from '../../company/connections/sign-with-demo-identity.ts'
import type { Company } from '../../people/companies/company.ts'
import { parsePersonalNumber } from '../../formats/values/personal-number.ts'
import { printable } from '../../formats/values/printable.ts'
import {
  addCompanyCommand,
  namedCompany,
  type CommandAnswer,
  type CompanyCommandContext,
} from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import {
  confirmed,
  everyPage,
  namedMember,
  parseId,
  parseList,
  parseWholeNumber,
  readPersonalNumber,
  yesOption,
} from './read-input.ts'
import { formatFields, formatTable, toFieldsAnswer } from './table.ts'

/** What a client calls its secret (RFC 6749, 2.3.1); a static credential is sent as it is. */
function toSecretFields(connection: Connection, secret: string | null): Record<string, string> {
  if (secret === null) return {}
  return connection.credentialKind === 'client' ? { client_secret: secret } : { credential: secret }
}

/** A connection, with the secret that this command created. */
function toAnswer(connection: Connection, secret: string | null = null): CommandAnswer {
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
const creatorHelp = 'personal number of the member; "-" reads it from standard input; prompted for by default'

/** How a new connection becomes active. */
function nextStep(
  context: CompanyCommandContext,
  connectionId: string,
  companyId: string,
  orgnr: string,
): string {
  return context.identity.demo
    ? `Sign it with: numera connection sign --company ${orgnr} --connection ${connectionId}`
    : `Its creator signs it at ${context.config.baseUrl}/companies/${companyId}/connections/${connectionId}`
}

function addAddCommand(parent: Command): void {
  addCompanyCommand<AddOptions>(
    parent,
    {
      name: 'add',
      description: 'create a connection; it works once its creator has signed it',
      example: `${creatorOption} - --source 0198…`,
      options: (command) =>
        command
          .option(`${creatorOption} <number>`, creatorHelp)
          .option('--source <id>', 'the only source it may use; by default each call names one', parseId)
          .option('--permissions <list>', 'separated by commas', parseList, [
            'sources.ingest',
            'metrics.read',
          ])
          .addOption(
            new Option('--kind <kind>', 'a sandbox connection sends test deliveries')
              .choices(['production', 'sandbox'])
              .default('production'),
          )
          .addOption(
            new Option(
              '--credential <kind>',
              'client: id and secret, exchanged for tokens; static: sent as is',
            )
              .choices(['client', 'static'])
              .default('client'),
          )
          .option('--name <name>', 'the name shown to people', 'Connection')
          .option(
            '--further-companies <list>',
            'organisation numbers separated by commas; not with --source',
            parseList,
          ),
    },
    async (context, { companyId }, options) => {
      const number = await readPersonalNumber(options.creator, creatorOption)
      const { memberId } = await namedMember(context, number)
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
      const { json, text } = toAnswer(connection, credential)
      return {
        json,
        text: `${text}\n${nextStep(context, connection.connectionId, companyId, options.company)}`,
      }
    },
  )
}

async function signWithDemo(
  context: CompanyCommandContext,
  companyId: string,
  connectionId: string,
  personalNumber: string,
): Promise<CommandAnswer> {
  if (!context.identity.demo) {
    throw new OperatorError("Only the demo identity can sign here; people sign on the company's pages.")
  }
  const { memberId, name } = await namedMember(context, personalNumber)
  const digits = parsePersonalNumber(personalNumber, new Date(context.clock.now()))!
  const person = { personalNumber: digits, name: name ?? 'Demo' }
  const signed = await signWithDemoIdentity(context, memberId, companyId, connectionId, person)
  return toAnswer(signed.connection, signed.secret)
}

interface ConnectionDefinition {
  name: string
  description: string
  example?: string
  options?: (command: Command) => Command
}

/** Adds a command on one connection. */
function addConnectionCommand<Options extends object = object>(
  parent: Command,
  { example = '', options = (command) => command, ...definition }: ConnectionDefinition,
  run: (
    context: CompanyCommandContext,
    company: Company,
    connectionId: string,
    options: Options,
  ) => Promise<CommandAnswer>,
): void {
  addCompanyCommand<Options & { connection: string }>(
    parent,
    {
      ...definition,
      example: `--connection 0198… ${example}`,
      options: (command) => options(command.requiredOption('--connection <id>', 'the connection', parseId)),
    },
    async (context, company, given) => run(context, company, given.connection, given),
  )
}

function addYesOption(command: Command): Command {
  return command.option(...yesOption)
}

function addEndCommands(parent: Command): void {
  addConnectionCommand<{ yes?: true }>(
    parent,
    { name: 'revoke', description: 'revoke a connection for good', options: addYesOption },
    async (context, { companyId }, connectionId, { yes }) => {
      const { name } = await showConnection(context, 'operator', companyId, connectionId)
      await confirmed(`Revoke the connection "${printable(name)}"?`, yes)
      const revoked = await revokeConnection(context, 'operator', companyId, connectionId)
      return toFieldsAnswer(connectionAnswer(revoked))
    },
  )
  addConnectionCommand<{ yes?: true }>(
    parent,
    {
      name: 'release',
      description: "remove a company from another company's connection",
      options: addYesOption,
    },
    async (context, { companyId, name }, connectionId, { yes }) => {
      await showConnection(context, 'operator', companyId, connectionId)
      await confirmed(`Remove ${printable(name)} from the connection?`, yes)
      await releaseConnection(context, 'operator', companyId, connectionId)
      return toFieldsAnswer({ connection_id: connectionId, released: true })
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

/** `connection add`, `sign`, `rotate`, `revoke`, `release`, `show`, `list` */
export function addConnectionCommands(program: Command): void {
  const connection = program
    .command('connection')
    .description('manage the connections of systems and scripts')
  addAddCommand(connection)
  addConnectionCommand<{ creator?: string }>(
    connection,
    {
      name: 'sign',
      description: 'sign a connection as its creator, with the demo identity',
      example: `${creatorOption} -`,
      options: (command) => command.option(`${creatorOption} <number>`, creatorHelp),
    },
    async (context, { companyId }, connectionId, { creator }) =>
      signWithDemo(context, companyId, connectionId, await readPersonalNumber(creator, creatorOption)),
  )
  addConnectionCommand<{ overlapHours: number }>(
    connection,
    {
      name: 'rotate',
      description: 'issue a new secret or static credential for a connection',
      options: (command) =>
        command.option(
          '--overlap-hours <number>',
          'how long the old one remains valid, 0 to 168',
          parseWholeNumber,
          overlapHoursDefault,
        ),
    },
    async (context, { companyId }, connectionId, { overlapHours }) => {
      const rotated = await rotateConnection(context, 'operator', companyId, connectionId, overlapHours)
      return toAnswer(rotated.connection, rotated.credential)
    },
  )
  addEndCommands(connection)
  addConnectionCommand(
    connection,
    { name: 'show', description: 'show a connection' },
    async (context, { companyId }, connectionId) =>
      toFieldsAnswer(connectionAnswer(await showConnection(context, 'operator', companyId, connectionId))),
  )
  addCompanyCommand(
    connection,
    {
      name: 'list',
      description: "list a company's connections, and those of other companies that act on it",
    },
    async (context, { companyId }) => {
      const listed = await everyPage((page) => listConnections(context, 'operator', companyId, page))
      const connections = listed.map(connectionAnswer)
      const text = formatTable(listColumns, connections, 'The company has no connections yet.')
      return { json: { connections }, text }
    },
  )
}
