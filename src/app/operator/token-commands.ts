import type { AppContext } from '../app-context.ts'
import type { Command } from 'commander'
import { resumeTokens, stopTokens, tokensStoppedSince } from '../../oauth/token/token-switch.ts'
import { withExample } from './examples.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'

function toAnswer(stoppedSince: Date | undefined): CommandAnswer {
  return {
    json: { stopped_since: stoppedSince?.toISOString() ?? null },
    text:
      stoppedSince === undefined
        ? 'Tokens are issued.'
        : `No tokens are issued since ${stoppedSince.toISOString()}; those issued before keep working.`,
  }
}

/** `tokens stop`, `tokens resume`, `tokens status` */
export function addTokenCommands(program: Command): void {
  const tokens = program.command('tokens').description('the issuing of tokens, in all processes')

  const add = (
    name: string,
    description: string,
    work: (context: AppContext) => Promise<CommandAnswer>,
  ): void => {
    withExample(tokens.command(name), `tokens ${name}`)
      .description(description)
      .option('--json', 'answer in JSON')
      .action((_options: object, command: Command) => runCommand(command, work))
  }

  add('stop', 'issue no tokens from now on; those issued before keep working', async (context) =>
    toAnswer(await stopTokens(context)),
  )
  add('resume', 'issue tokens again', async (context) => {
    await resumeTokens(context)
    return toAnswer(undefined)
  })
  add('status', 'say whether tokens are issued', async (context) =>
    toAnswer(await tokensStoppedSince(context)),
  )
}
