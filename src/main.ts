import { Command } from 'commander'
import { ConfigError } from './config/config-error.ts'
import { addMigrateCommand } from './database/migrate-command.ts'
import { addDemoCommand } from './demo/demo-command.ts'
import { addServeCommand } from './http/serve-command.ts'
import { registerOperatorCommands } from './operator/commands.ts'
import { addWorkCommand } from './reading/work-command.ts'

// Reads the command line, nothing else: each command stands in a file of its own, beside what it does.

const program = new Command('numera').description(
  'Companies push their own numbers into one service; people and apps read them back, exact and traceable.',
)

addServeCommand(program)
addWorkCommand(program)
addDemoCommand(program)
addMigrateCommand(program)
registerOperatorCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  // What the operator can put right is told in a sentence; a stack would hide it.
  const told = error instanceof ConfigError ? error.message : (error as Error).stack
  process.stderr.write(`${told}\n`)
  process.exitCode = 1
}
