import { Command } from 'commander'
import { addMigrateCommand } from './service/migrate-command.ts'
import { addDemoCommand } from './demo/demo-command.ts'
import { addServeCommand } from './service/serve-command.ts'
import { registerOperatorCommands } from './operator/commands.ts'
import { addWorkCommand } from './service/work-command.ts'

// Reads the command line, nothing else: each command stands in a file of its own, beside what it does.

const program = new Command('numera').description(
  'Companies push their own numbers into one service; people and apps read them back, exact and traceable.',
)

addServeCommand(program)
addWorkCommand(program)
addDemoCommand(program)
addMigrateCommand(program)
registerOperatorCommands(program)

/** What the operator can put right is told in a sentence, which a stack would hide; a fault of ours needs its stack. */
function tell(error: Error): string {
  const isFault = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return (isFault ? error.stack : undefined) ?? error.message
}

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${tell(error as Error)}\n`)
  process.exitCode = 1
}
