import type { Command } from 'commander'
import { addAppCommands } from './app-commands.ts'
import { addCompanyCommands } from './company-commands.ts'
import { addConnectionCommands } from './connection-commands.ts'
import { addMemberCommands } from './member-commands.ts'
import { addRebuildCommand } from './rebuild-command.ts'
import { addResealCommand } from './reseal-command.ts'
import { addSourceCommands } from './source-commands.ts'
import { addTokenCommands } from './token-commands.ts'

/** What the operator does without the pages (docs/guides/operating.md). */
export function registerOperatorCommands(program: Command): void {
  addCompanyCommands(program)
  addMemberCommands(program)
  addSourceCommands(program)
  addConnectionCommands(program)
  addAppCommands(program)
  addTokenCommands(program)
  addRebuildCommand(program)
  addResealCommand(program)
}
