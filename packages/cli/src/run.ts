import { Command, CommanderError } from 'commander'
import { exitCodes, type ExitCode, redact } from './exit-code.ts'
import type { Io } from './io.ts'
import { Session } from './session.ts'

/** Adds arguments, options and the action of a command. */
export type DefineCommand = (command: Command, session: Session) => void

/**
 * The commands. Each is loaded when it is run: loading the imports of all would take most of the time of `--help`.
 */
const commands: readonly (readonly [usage: string, summary: string, load: () => Promise<DefineCommand>])[] = [
  ['login', 'log in, and keep the credential', async () => (await import('./login-command.ts')).defineLogin],
  ['whoami', 'what the login may do', async () => (await import('./whoami-command.ts')).defineWhoami],
  [
    'logout',
    'remove the login from this machine',
    async () => (await import('./login-command.ts')).defineLogout,
  ],
  ['profiles', 'list the logins', async () => (await import('./login-command.ts')).defineProfiles],
  [
    'check',
    'what a push of a file would give; stores nothing',
    async () => (await import('./check-command.ts')).defineCheck,
  ],
  [
    'push',
    'send files, or the new files of a folder',
    async () => (await import('./push-command.ts')).definePush,
  ],
  [
    'refused',
    'write the refused rows of a delivery to a file',
    async () => (await import('./refused-command.ts')).defineRefused,
  ],
  [
    'deliveries',
    'what was received and what became of it',
    async () => (await import('./deliveries-command.ts')).defineDeliveries,
  ],
  ['samples', 'read numbers', async () => (await import('./samples-command.ts')).defineSamples],
  ['trace', 'the deliveries behind a number', async () => (await import('./trace-command.ts')).defineTrace],
  [
    'sources',
    'list sources, or show what one declares',
    async () => (await import('./sources-command.ts')).defineSources,
  ],
  [
    'webhook',
    'sign and send as a webhook sender does',
    async () => (await import('./webhook-commands.ts')).defineWebhook,
  ],
  ['doctor', 'look for what is wrong', async () => (await import('./doctor-command.ts')).defineDoctor],
]

const exitCodesHelp = `
Exit codes: 0 done, 1 refused for good, 2 used wrongly, 3 rows refused, 4 not reachable, 75 try again.`

/** Runs a command line and gives its exit code. Nothing that it prints has a secret. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const session = new Session(io)
  const program = new Command('numeractl')
    .description('Sends files to Numera, says what became of them, and reads numbers back, exact.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(redact(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .showSuggestionAfterError()
    .addHelpText('after', exitCodesHelp)
  try {
    await addCommands(program, session, words)
    await program.parseAsync([...words], { from: 'user' })
    return session.exitCode
  } catch (error) {
    return await fail(session, error)
  }
}

/** Names every command, and loads those that are needed: the one that is named, or all of them for completions. */
async function addCommands(program: Command, session: Session, words: readonly string[]): Promise<void> {
  const named = words.find((word) => !word.startsWith('-')) ?? ''
  if (words.includes('--version') && named === '') {
    program.version(await (await import('./version.ts')).readVersion())
  } else program.option('--version', 'output the version number')
  for (const [name, summary, load] of commands) {
    const command = program.command(name).description(summary)
    if (name === named || named === 'complete') (await load())(command, session)
  }
  if (named === 'complete') (await import('@bomb.sh/tab/commander')).default(program)
  else
    program.command('complete').argument('[shell]').description('completions: zsh, bash, fish or powershell')
}

async function fail(session: Session, error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 || error.code === 'commander.help' ? exitCodes.done : exitCodes.usedWrongly
  }
  const { toFailure } = await import('./to-failure.ts')
  const failure = toFailure(error)
  if (failure === undefined) {
    session.note(`This is a mistake in numeractl: ${(error as Error).stack ?? String(error)}`)
    return exitCodes.refused
  }
  const { message, details, exitCode } = failure
  session.note(session.isJson ? JSON.stringify({ message, ...details, exit_code: exitCode }) : message)
  return exitCode
}
