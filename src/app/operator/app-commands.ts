import type { Command } from 'commander'
import { endAppConnection, endConnectionsOfApp } from '../../console/app-connections/end-app-connection.ts'
import {
  listAppConnections,
  listConnectionsOfApp,
} from '../../console/app-connections/list-app-connections.ts'
import { showAppConnection } from '../../console/app-connections/show-app-connection.ts'
import { printable } from '../../formats/values/printable.ts'
import { confirmed, readPersonalNumber, yesOption } from './ask.ts'
import { everyPage } from './every-page.ts'
import { withExample } from './examples.ts'
import { namedMember, orThrow } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId } from './read-input.ts'
import { runCommand } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

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

/** Exactly one of two options. */
function requireOne(first: string | undefined, second: string | undefined, names: string): void {
  if ((first === undefined) === (second === undefined)) throw new OperatorError(`Give either ${names}.`)
}

/** `app list`, `app show`, `app end` */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description('what members allow apps')

  withExample(app.command('list'), 'app list --client 0198…')
    .description('list what a member has allowed apps, or what one app may still do for anybody')
    .option(`${numberOption} <number>`, 'of the member; "-" reads it from standard input')
    .option('--client <id>', 'the app')
    .option('--json', 'answer in JSON')
    .action(async (options: { personalNumber?: string; client?: string }, command: Command) => {
      const { personalNumber, client } = options
      await runCommand(command, async (context) => {
        requireOne(personalNumber, client, `${numberOption} or --client`)
        const memberId =
          personalNumber === undefined
            ? undefined
            : (await namedMember(context, await readPersonalNumber(personalNumber, numberOption))).memberId
        const listed = await everyPage((page) =>
          memberId === undefined
            ? listConnectionsOfApp(context, client!, page)
            : listAppConnections(context, memberId, page),
        )
        return {
          json: { apps: listed },
          text: formatTable(listColumns, listed, 'No app is allowed anything.'),
        }
      })
    })

  withExample(app.command('show'), 'app show --connection 0198…')
    .description('show what a member allows an app')
    .requiredOption('--connection <id>', 'the connection', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: { connection: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const shown = await orThrow(showAppConnection(context, 'operator', options.connection), noSuch)
        return { json: shown, text: formatFields(shown) }
      })
    })

  withExample(app.command('end'), 'app end --connection 0198…')
    .description('end what a member allows an app, or everything that one app may do for anybody')
    .option('--connection <id>', 'the connection', parseId)
    .option('--client <id>', 'the app')
    .option(...yesOption)
    .option('--json', 'answer in JSON')
    .action(async (options: { connection?: string; client?: string; yes?: true }, command: Command) => {
      const { connection, client, yes } = options
      await runCommand(command, async (context) => {
        requireOne(connection, client, '--connection or --client')
        if (client !== undefined) {
          await confirmed('End everything that this app may do, for every member?', yes)
          const json = { ended: await endConnectionsOfApp(context, client) }
          return { json, text: formatFields(json) }
        }
        const { client_name } = await orThrow(showAppConnection(context, 'operator', connection!), noSuch)
        await confirmed(`End what this member allows "${printable(client_name)}"?`, yes)
        const json = await orThrow(endAppConnection(context, 'operator', connection!), noSuch)
        return { json, text: formatFields(json) }
      })
    })
}
