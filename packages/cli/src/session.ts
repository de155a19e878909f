import type { Command } from 'commander'
import type { Numera, NumeraOptions } from 'numera-client'
import { exitCodes, type ExitCode, redact, UsageError } from './exit-code.ts'
import type { Io } from './io.ts'
import type { Profile } from './profiles.ts'

/** Options of every command. */
export interface CommonOptions {
  profile?: string
  json?: true
}

/** Options that name a company and a source, where the connection leaves them open. */
export interface ScopeOptions extends CommonOptions {
  company?: string
  source?: string
}

export interface Scope {
  sourceId?: string
  orgnr?: string
  signal: AbortSignal
}

/** How long a command that only reads is tried again. */
export const readPatienceMs = 20_000

/** One run of the command. */
export class Session {
  readonly io: Io
  exitCode: ExitCode = exitCodes.done
  isJson = false

  constructor(io: Io) {
    this.io = io
  }

  /** Prints an answer: the text, or with `--json` the value on one line. */
  print(value: unknown, text: string): void {
    this.io.stdout.write(`${this.isJson ? JSON.stringify(value) : text}\n`)
  }

  /** Prints a table or, with `--json`, each row with all that it has. */
  async printTable(columns: readonly string[], rows: readonly object[], empty: string): Promise<void> {
    const { formatTable, toSnakeCase } = await import('./table.ts')
    if (this.isJson) for (const row of rows) this.print(toSnakeCase(row), '')
    else this.print(undefined, formatTable(columns, rows, empty))
  }

  /** Prints what is not an answer, in place of a line of progress. */
  note(text: string): void {
    const { stderr } = this.io
    stderr.write(`${stderr.isTTY ? '\r\u001b[2K' : ''}${redact(text)}\n`)
  }

  /** @param giveUpAfterMs how long a call is tried again */
  async connect(
    options: CommonOptions,
    { giveUpAfterMs, fetch }: { giveUpAfterMs?: number; fetch?: typeof globalThis.fetch } = {},
  ): Promise<{ numera: Numera; name: string; profile: Profile }> {
    const { findProfile } = await import('./profiles.ts')
    const { readSecret } = await import('./secret-store.ts')
    const { name, profile } = await findProfile(this.io, options.profile)
    const secret = await readSecret(this.io, name, profile.secretIn)
    const identity =
      profile.kind === 'app'
        ? (await import('./app-tokens.ts')).toAppIdentity(this.io, name, profile, secret)
        : toIdentity(profile, secret)
    const numera = await this.open({ baseUrl: profile.url, ...identity, ...given({ giveUpAfterMs }) }, fetch)
    return { numera, name, profile }
  }

  async open(options: NumeraOptions, fetch = this.io.fetch): Promise<Numera> {
    const { Numera } = await import('numera-client')
    return new Numera({ ...options, clock: this.io.clock, fetch: this.watch(fetch) })
  }

  /** Says on a terminal why there is no answer yet. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    const { signal, stderr } = this.io
    if (!stderr.isTTY) return fetch
    return async (input, init) => {
      try {
        const response = await fetch(input, init)
        const { status } = response
        if (status === 429 || status >= 500) this.note(`The service answers ${status}; trying again.`)
        return response
      } catch (error) {
        if (!signal.aborted) this.note('The service cannot be reached; trying again.')
        throw error
      }
    }
  }

  toScope({ company, source }: ScopeOptions): Scope {
    return { ...given({ sourceId: source, orgnr: company }), signal: this.io.signal }
  }
}

/** The members that have a value. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

export function toIdentity(
  { kind, clientId }: Pick<Profile, 'kind' | 'clientId'>,
  secret: string,
): { credential: string } | { clientId: string; clientSecret: string } {
  return kind === 'static credential' ? { credential: secret } : { clientId: clientId!, clientSecret: secret }
}

/** @throws UsageError for an address that the client does not take */
export function toBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new UsageError('--url is an http or https address without user, query or fragment.')
  }
  return url.href.replace(/\/+$/, '')
}

/** Adds an action that gets the command's arguments and, last, its options. */
export function onRun<Options extends CommonOptions>(
  command: Command,
  session: Session,
  run: (options: Options, ...words: string[]) => Promise<void>,
): Command {
  return command
    .option('--profile <name>', 'the login to use')
    .option('--json', 'answer in JSON, a value on each line')
    .action(async (...given: unknown[]) => {
      const words = given.slice(0, -2) as string[]
      const options = command.optsWithGlobals<Options>()
      session.isJson = options.json === true
      await run(options, ...words)
    })
}

export const addScope = (command: Command): Command =>
  command
    .option('--source <id>', 'the source, where the connection may use several')
    .option('--company <orgnr>', 'the company, where it may use several')
