#!/usr/bin/env node
import { Command } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import { type AddCommand, operatorCommands } from './app/operator/commands.ts'

// Reads the command line, nothing else: each command stands in a file of its own, beside what it does.

const commands = new Map<string, () => Promise<AddCommand>>([
  ['serve', async () => (await import('./app/serve-command.ts')).addServeCommand],
  ['work', async () => (await import('./app/work-command.ts')).addWorkCommand],
  ['demo', async () => (await import('../demo/deployment/demo-command.ts')).addDemoCommand],
  ['migrate', async () => (await import('./app/migrate-command.ts')).addMigrateCommand],
  ...operatorCommands,
])

/** The command that is asked for alone; where none is, for a help, a completion or a wrong word, all that there are. */
async function readCommandLine(words: readonly string[]): Promise<void> {
  const program = new Command('numera')
    .description(
      'Companies push their own numbers into one service; people and apps read them back, exact and traceable.',
    )
    .version(packageFile.version)
  const asked = commands.get(words[0] ?? '')
  for (const load of asked === undefined ? commands.values() : [asked]) (await load())(program)
  if (asked === undefined) (await import('@bomb.sh/tab/commander')).default(program)
  await program.parseAsync(words, { from: 'user' })
}

/** What the operator can put right is told in a sentence, which a stack would hide; a fault of ours needs its stack. */
function tell(error: Error): string {
  const isFault = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return (isFault ? error.stack : undefined) ?? error.message
}

/** They run for as long as the deployment does: a program reads what they say, as lines of JSON. */
const logged = new Set(['serve', 'work'])

const words = process.argv.slice(2)
if (logged.has(words[0] ?? '')) {
  const { logEverything } = await import('./platform/telemetry/log-everything.ts')
  await logEverything(() => readCommandLine(words))
} else {
  try {
    await readCommandLine(words)
  } catch (error) {
    process.stderr.write(`${tell(error as Error)}\n`)
    process.exitCode = 1
  }
}
