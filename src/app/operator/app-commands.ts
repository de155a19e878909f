import type { Command } from 'commander'
import { endAppConnection, endConnectionsOfApp } from '../../console/app-connections/end-app-connection.ts'
import {
  listAppConnections,
  listConnectionsOfApp,
} from '../../console/app-connections/list-app-connections.ts'
import { showAppConnection } from '../../console/app-connections/show-app-connection.ts'
import { printable } from '../../formats/values/printable.ts'
import { addCommand } from './add-command.ts'
import { OperatorError, orThrow } from './operator-error.ts'
import { confirmed, everyPage, namedMember, parseId, readPersonalNumber, yesOption } from './read-input.ts'
import { formatTable, toFieldsAnswer } from './table.ts'

const numberOption = '--personal-number'

const listColumns = [
  'connection_id',
  'client_name',
  'redirect_host',
  'state',
  'permissions',
  'expires_at',
  'ended_at',
  'client_id',
]

const noSuch = 'There is no connection of an app with this id.'

/** @throws OperatorError unless exactly one of two options was given */
function requireOne(first: string | undefined, second: string | undefined, names: string): void {
  if ((first === undefined) === (second === undefined)) throw new OperatorError(`Give either ${names}.`)
}

/** `app list`, `app show`, `app end` */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description('show and end what members allow apps')
  addCommand<{ personalNumber?: string; client?: string }>(
    app,
    {
      name: 'list',
      description: "list a member's app connections, or all active ones of an app",
      example: '--client 0198…',
      options: (command) =>
        command
          .option(`${numberOption} <number>`, 'of the member; "-" reads it from standard input')
          .option('--client <id>', 'the app'),
    },
    async (context, { personalNumber, client }) => {
      requireOne(personalNumber, client, `${numberOption} or --client`)
      const memberId =
        personalNumber === undefined
          ? undefined
          : (await namedMember(context, await readPersonalNumber(personalNumber, numberOption))).memberId
      const apps = await everyPage((page) =>
        memberId === undefined
          ? listConnectionsOfApp(context, client!, page)
          : listAppConnections(context, memberId, page),
      )
      return { json: { apps }, text: formatTable(listColumns, apps, 'There are no app connections.') }
    },
  )
  addCommand<{ connection: string }>(
    app,
    {
      name: 'show',
      description: 'show an app connection',
      example: '--connection 0198…',
      options: (command) => command.requiredOption('--connection <id>', 'the connection', parseId),
    },
    async (context, { connection }) =>
      toFieldsAnswer(await orThrow(showAppConnection(context, 'operator', connection), noSuch)),
  )
  addCommand<{ connection?: string; client?: string; yes?: true }>(
    app,
    {
      name: 'end',
      description: 'end one app connection, or all of an app',
      example: '--connection 0198…',
      options: (command) =>
        command
          .option('--connection <id>', 'the connection', parseId)
          .option('--client <id>', 'the app')
          .option(...yesOption),
    },
    async (context, { connection, client, yes }) => {
      requireOne(connection, client, '--connection or --client')
      if (client !== undefined) {
        await confirmed('End all connections of this app, for every member?', yes)
        return toFieldsAnswer({ ended: await endConnectionsOfApp(context, client) })
      }
      const { client_name } = await orThrow(showAppConnection(context, 'operator', connection!), noSuch)
      await confirmed(`End the connection of "${printable(client_name)}"?`, yes)
      return toFieldsAnswer(await orThrow(endAppConnection(context, 'operator', connection!), noSuch))
    },
  )
}
