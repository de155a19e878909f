import type { AppContext } from '../app-context.ts'
import type { Context } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import type { Command } from 'commander'
import type { Company } from '../../people/companies/company.ts'
import { findCompany } from '../../people/companies/find-company.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { UnreachableError } from '../../platform/database/unreachable-error.ts'
import { ApiError } from '../../platform/http/errors/errors.ts'
import { BackupError } from '../backup/backup-error.ts'
import { openContext } from '../open-context.ts'
import { OperatorError, orThrow } from './operator-error.ts'

/** What a command prints: the text, or with `--json` one JSON value on a line. */
export interface CommandAnswer {
  json: unknown
  text: string
}

interface Definition {
  name: string
  description: string
  /** The options of the example in the command's help; without `--company` for a command on a company. */
  example?: string
  options?: (command: Command) => Command
}

function toPlainMessage(error: unknown): string | undefined {
  if (error instanceof ApiError) {
    if (error.code === 'not_found') return 'The company has nothing with this id.'
    return error.field === undefined ? error.message : `${error.field}: ${error.message}`
  }
  if (error instanceof OperatorError || error instanceof UnreachableError || error instanceof BackupError)
    return error.message
  if (isDatabaseUnavailable(error)) return `The database does not answer: ${(error as Error).message}`
  // Ctrl-C at a question.
  if ((error as Error).name === 'ExitPromptError') return 'Nothing was changed.'
  return undefined
}

function isCallersError(error: unknown): boolean {
  return error instanceof ApiError || (error instanceof OperatorError && error.showsExample)
}

/**
 * Prints the answer of a command. Nothing is logged, since input and answer may be secret. An error that the operator can
 * correct is a sentence on standard error, with the command's example, and exit code 1.
 */
async function runCommand(
  command: Command,
  example: string,
  run: () => Promise<CommandAnswer | undefined>,
): Promise<void> {
  try {
    const answer = await run()
    if (answer === undefined) return
    const { json } = command.optsWithGlobals<{ json?: true }>()
    process.stdout.write(`${json === true ? JSON.stringify(answer.json) : answer.text}\n`)
  } catch (error) {
    const message = toPlainMessage(error)
    if (message === undefined) throw error
    process.stderr.write(isCallersError(error) ? `${message}\n${example}\n` : `${message}\n`)
    process.exitCode = 1
  }
}

/**
 * Adds a command with `--json`, and an example that its help and its errors show, that opens no database by itself.
 *
 * @param run gives undefined where it has written its answer itself, as one that is longer than memory
 */
export function addPlainCommand<Options extends object = object>(
  parent: Command,
  { name, description, example = '', options = (command) => command }: Definition,
  run: (options: Options) => Promise<CommandAnswer | undefined>,
): Command {
  const words = ['numera', ...(parent.parent === null ? [] : [parent.name()]), name, example]
  const exampleText = `Example: ${words.join(' ').trimEnd()}`
  const command = parent
    .command(name)
    .description(description)
    .addHelpText('after', `\n${exampleText}`)
    .showHelpAfterError(exampleText)
  return options(command)
    .option('--json', 'answer in JSON')
    .action((given: Options) => runCommand(command, exampleText, () => run(given)))
}

/**
 * Runs `run` on the deployment's database, even while a service runs on the same data folder. It neither creates nor migrates
 * a database: with the wrong folder it would answer for an empty deployment.
 */
export async function withContext<Answer>(
  run: (context: AppContext) => Promise<Answer>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Answer> {
  await using opened = await openContext({
    name: 'numera command',
    shared: true,
    existing: true,
    patient: true,
    environment: { ...environment, NUMERA_LOG_LEVEL: 'silent' },
  })
  return await run(opened.context)
}

/** Adds a command on the deployment's database. */
export function addCommand<Options extends object = object>(
  parent: Command,
  definition: Definition,
  run: (context: AppContext, options: Options) => Promise<CommandAnswer | undefined>,
): Command {
  return addPlainCommand<Options>(parent, definition, (given) =>
    withContext((context) => run(context, given)),
  )
}

/** The company with an organisation number. */
export async function namedCompany(context: AppContext, orgnr: string): Promise<Company> {
  return orThrow(findCompany(context, orgnr), 'There is no company with this organisation number.')
}

/** The context of a command on a company: that of its shard. */
export interface CompanyCommandContext extends Context, WithIdentity {}

/** Adds a command on the company that `--company` names. */
export function addCompanyCommand<Options extends object = object>(
  parent: Command,
  { example = '', options = (command) => command, ...definition }: Definition,
  run: (
    context: CompanyCommandContext,
    company: Company,
    options: Options,
  ) => Promise<CommandAnswer | undefined>,
): void {
  addCommand<Options & { company: string }>(
    parent,
    {
      ...definition,
      example: `--company 556016-0680 ${example}`,
      options: (command) => options(command.requiredOption('--company <orgnr>', 'organisation number')),
    },
    async (context, given) => {
      const company = await namedCompany(context, given.company)
      const { identity, shards } = context
      return run({ ...(await shards.ofCompany(company.companyId)), identity }, company, given)
    },
  )
}
