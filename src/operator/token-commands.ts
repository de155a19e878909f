import type { Command } from 'commander'
import type { Context } from '../service/context.ts'
import { resumeTokens, stopTokens, tokensStoppedSince } from '../oauth/token/token-switch.ts'
import { withExample } from './examples.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'

function answerOf(stoppedSince: Date | undefined): CommandAnswer {
  return {
    json: { stopped_since: stoppedSince?.toISOString() ?? null },
    text:
      stoppedSince === undefined
        ? 'Tokens are issued.'
        : `No tokens are issued since ${stoppedSince.toISOString()}; those issued before go on working.`,
  }
}

/** `tokens stop`, `tokens resume`, `tokens status` */
export function addTokenCommands(program: Command): void {
  const tokens = program.command('tokens').description('the issuing of tokens, on every process at once')

  const add = (
    name: string,
    description: string,
    work: (context: Context) => Promise<CommandAnswer>,
  ): void => {
    withExample(tokens.command(name), `tokens ${name}`)
      .description(description)
      .option('--json', 'answer in JSON')
      .action((_options: object, command: Command) => runCommand(command, work))
  }

  add('stop', 'issue no tokens from now on; those issued before go on working', async (context) =>
    answerOf(await stopTokens(context)),
  )
  add('resume', 'issue tokens again', async (context) => {
    await resumeTokens(context)
    return answerOf(undefined)
  })
  add('status', 'say whether tokens are issued', async (context) =>
    answerOf(await tokensStoppedSince(context)),
  )
}
