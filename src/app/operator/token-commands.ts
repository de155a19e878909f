import type { Command } from 'commander'
import { resumeTokens, stopTokens, tokensStoppedSince } from '../../oauth/token/token-switch.ts'
import { addCommand, type CommandAnswer } from './add-command.ts'

function toAnswer(stoppedSince: Date | undefined): CommandAnswer {
  return {
    json: { stopped_since: stoppedSince?.toISOString() ?? null },
    text:
      stoppedSince === undefined
        ? 'Tokens are issued.'
        : `No tokens have been issued since ${stoppedSince.toISOString()}; earlier ones remain valid.`,
  }
}

/** `tokens stop`, `tokens resume`, `tokens status` */
export function addTokenCommands(program: Command): void {
  const tokens = program.command('tokens').description('stop and resume issuing tokens, in all processes')
  addCommand(
    tokens,
    { name: 'stop', description: 'stop issuing tokens; those already issued remain valid' },
    async (context) => toAnswer(await stopTokens(context)),
  )
  addCommand(tokens, { name: 'resume', description: 'issue tokens again' }, async (context) => {
    await resumeTokens(context)
    return toAnswer(undefined)
  })
  addCommand(tokens, { name: 'status', description: 'show whether tokens are issued' }, async (context) =>
    toAnswer(await tokensStoppedSince(context)),
  )
}
