#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { type AddCommand, operatorCommands } from './app/operator/commands.ts'
import { release } from './platform/config/release.ts'

// Only reads the command line; each command has a file of its own.

const commands = new Map<string, () => Promise<AddCommand>>([
  ['serve', async () => (await import('./app/serve-command.ts')).addServeCommand],
  ['work', async () => (await import('./app/work-command.ts')).addWorkCommand],
  ['migrate', async () => (await import('./app/migrate-command.ts')).addMigrateCommand],
  ...operatorCommands,
])
// The container image has none.
if (existsSync(new URL('../demo', import.meta.url)))
  commands.set('demo', async () => (await import('../demo/deployment/demo-command.ts')).addDemoCommand)

/** Loads the requested command only; all of them for help, completions and unknown words. */
async function readCommandLine(words: readonly string[]): Promise<void> {
  const program = new Command('numera')
    .description(
      'Companies push their own numbers into one service; people and apps read them back, exact and traceable.',
    )
    .version(release)
  const requested = commands.get(words[0] ?? '')
  for (const load of requested === undefined ? commands.values() : [requested]) (await load())(program)
  if (requested === undefined) (await import('@bomb.sh/tab/commander')).default(program)
  await program.parseAsync(words, { from: 'user' })
}

/** The message alone where the operator can correct the error; the stack for a bug. */
function describe(error: Error): string {
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return (isBug ? error.stack : undefined) ?? error.message
}

/** These run as long as the deployment; their output is JSON lines for programs. */
const logged = new Set(['serve', 'work'])

const words = process.argv.slice(2)
if (logged.has(words[0] ?? '')) {
  const { logEverything } = await import('./platform/telemetry/log-everything.ts')
  await logEverything(() => readCommandLine(words))
} else {
  try {
    await readCommandLine(words)
  } catch (error) {
    process.stderr.write(`${describe(error as Error)}\n`)
    process.exitCode = 1
  }
}
