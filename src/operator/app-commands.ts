import type { Command } from 'commander'
import { appConnectionAnswer } from '../app-connections/app-connection-answer.ts'
import type { AppConnection } from '../app-connections/app-connection.ts'
import { endAppConnection } from '../app-connections/end-app-connection.ts'
import { endConnectionsOfApp } from '../app-connections/end-connections-of-app.ts'
import { listAppConnections, listConnectionsOfApp } from '../app-connections/list-app-connections.ts'
import { showAppConnection } from '../app-connections/show-app-connection.ts'
import { everyPage } from './every-page.ts'
import { namedMember, orTell } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { parseId, readSecretly } from './read-input.ts'
import { runCommand } from './run-command.ts'

/** With the member's id alone: who they are is not printed. */
function appAnswer(connection: AppConnection) {
  return {
    ...appConnectionAnswer(connection),
    member_id: connection.memberId,
  }
}

function appLine(connection: AppConnection): string {
  const { companies, endedAt, expiresAt } = connection
  return [
    connection.connectionId,
    connection.clientId,
    `${connection.clientName} (${connection.redirectHost})`,
    connection.state,
    connection.permissions.join(','),
    companies.every ? 'every company' : `${companies.chosen.length} companies`,
    endedAt === null ? `until ${expiresAt.toISOString()}` : `ended ${endedAt.toISOString()}`,
  ].join('  ')
}

const noSuch = 'There is no connection of an app with this id.'

/** Exactly one of two options. */
function oneOf(first: string | undefined, second: string | undefined, names: string): void {
  if ((first === undefined) === (second === undefined)) throw new OperatorError(`Give either ${names}.`)
}

/** `app list`, `app show`, `app end` */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description('what members allow apps')

  app
    .command('list')
    .description('list what a member has allowed apps, or what one app may still do for anybody')
    .option('--personal-number <number>', 'of the member; "-" reads it from standard input')
    .option('--client <id>', 'the app')
    .option('--json', 'answer in JSON')
    .action(async (options: { personalNumber?: string; client?: string }, command: Command) => {
      const { personalNumber, client } = options
      const number = personalNumber === undefined ? undefined : await readSecretly(personalNumber)
      await runCommand(command, async (context) => {
        oneOf(number, client, '--personal-number or --client')
        const memberId = number === undefined ? undefined : (await namedMember(context, number)).memberId
        const connections = await everyPage((page) =>
          memberId === undefined
            ? listConnectionsOfApp(context, client!, page)
            : listAppConnections(context, memberId, page),
        )
        return {
          json: { apps: connections.map(appAnswer) },
          text: connections.map(appLine).join('\n') || 'No app is allowed anything.',
        }
      })
    })

  app
    .command('show')
    .description('show what a member allows an app')
    .requiredOption('--connection <id>', 'the connection', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: { connection: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const shown = appAnswer(
          await orTell(showAppConnection(context, 'operator', options.connection), noSuch),
        )
        return { json: shown, text: JSON.stringify(shown, undefined, 2) }
      })
    })

  app
    .command('end')
    .description('end what a member allows an app, or everything that one app may do for anybody')
    .option('--connection <id>', 'the connection', parseId)
    .option('--client <id>', 'the app')
    .option('--json', 'answer in JSON')
    .action(async (options: { connection?: string; client?: string }, command: Command) => {
      const { connection, client } = options
      await runCommand(command, async (context) => {
        oneOf(connection, client, '--connection or --client')
        if (client !== undefined) {
          const ended = await endConnectionsOfApp(context, client)
          return { json: { ended }, text: `${ended} ended` }
        }
        const shown = await orTell(endAppConnection(context, 'operator', connection!), noSuch)
        return { json: appAnswer(shown), text: appLine(shown) }
      })
    })
}
