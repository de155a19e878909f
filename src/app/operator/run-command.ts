import type { AppContext } from '../app-context.ts'
import type { Command } from 'commander'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { UnreachableError } from '../../platform/database/unreachable-error.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { openContext } from '../open-context.ts'
import { getExample } from './examples.ts'
import { OperatorError } from './operator-error.ts'

/** What a command says: to people as text, with `--json` as one JSON value on a line. */
export interface CommandAnswer {
  json: unknown
  text: string
}

function toPlainMessage(error: unknown): string | undefined {
  if (error instanceof ApiError) {
    if (error.code === 'not_found') return 'The company has nothing with this id.'
    return error.field === undefined ? error.message : `${error.field}: ${error.message}`
  }
  if (error instanceof OperatorError || error instanceof UnreachableError) return error.message
  if (isDatabaseUnavailable(error)) return `The database does not answer: ${(error as Error).message}`
  // A question that was left with Ctrl-C.
  if ((error as Error).name === 'ExitPromptError') return 'Nothing was changed.'
  return undefined
}

/** Errors that another way of calling mends. */
function isOfCall(error: unknown): boolean {
  return error instanceof ApiError || (error instanceof OperatorError && error.showsExample)
}

/**
 * Runs one command on the deployment's database, even while a service runs on the same data folder, and prints its
 * answer. It makes no database and migrates none: with the wrong folder it would answer for an empty deployment.
 * Nothing is logged: what a command is given and what it answers may be secret. What the operator can put right is printed
 * in a sentence on standard error, with an example of the command, and exit code 1.
 */
export async function runCommand(
  command: Command,
  work: (context: AppContext) => Promise<CommandAnswer>,
): Promise<void> {
  try {
    await using opened = await openContext({
      name: 'numera command',
      shared: true,
      existing: true,
      patient: true,
      environment: { ...process.env, NUMERA_LOG_LEVEL: 'silent' },
    })
    const answer = await work(opened.context)
    const { json } = command.optsWithGlobals<{ json?: true }>()
    process.stdout.write(`${json === true ? JSON.stringify(answer.json) : answer.text}\n`)
  } catch (error) {
    const message = toPlainMessage(error)
    if (message === undefined) throw error
    const example = isOfCall(error) ? getExample(command) : undefined
    process.stderr.write(example === undefined ? `${message}\n` : `${message}\n${example}\n`)
    process.exitCode = 1
  }
}
