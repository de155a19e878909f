import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { ConfigError } from '../config/config-error.ts'
import { keyFormats, parseKey } from '../config/parse-key.ts'
import { printable } from '../../formats/values/printable.ts'

/** How long the command may take, in milliseconds. */
const commandDefaultMsMax = 10_000

/** A key and its newline are far less. */
const outputBytesMax = 1_024

/** The end of its standard error, which says why it failed. */
const shownErrorBytesMax = 1_024

/** What could be a key or a token: cloud programs print both when they trace. Names and addresses are shorter or have no digit. */
const secretPattern = /(?=[\w+/=-]*\d)[\w+/=-]{20,}|[\w+/=-]{40,}/g

/** Without this service's own secrets. What a key store's program needs, such as `AWS_PROFILE` or `VAULT_ADDR`, stays. */
function toCommandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOwn = /^(?:DATABASE_URL$|NUMERA_)/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwn.test(name)))
}

interface Kept {
  bytes: Buffer
  /** Whether there was more before. */
  isCut: boolean
}

/** Reads a stream to its end, and keeps its last bytes. */
function keepLast(stream: Readable, bytesMax: number): Kept {
  const kept: Kept = { bytes: Buffer.alloc(0), isCut: false }
  stream.on('data', (chunk: Buffer) => {
    kept.isCut ||= kept.bytes.length + chunk.length > bytesMax
    kept.bytes = Buffer.concat([kept.bytes, chunk]).subarray(-bytesMax)
  })
  return kept
}

/** One line, without anything that could be a secret, not even the rest of one. */
function toShownError({ bytes, isCut }: Kept): string {
  const text = isCut ? bytes.toString().replace(/^\S*/, '') : bytes.toString()
  const shown = printable(text.trim().replaceAll(/\s+/g, ' ')).replaceAll(secretPattern, '…')
  return shown === '' ? 'It printed nothing on standard error' : `At the end of its standard error: ${shown}`
}

/**
 * The key that a command prints on its standard output, as NUMERA_MASTER_KEY has it, with or without a newline. The command
 * is run by a shell, as an operator would type it: the variable is as trusted as a key in it would be. Its output is never
 * shown. Of its standard error the end is, where it fails, without anything that could be a secret.
 *
 * @throws ConfigError where it cannot be run, fails, takes more than 10 seconds, after which it and what it started are
 *   killed, or prints anything else
 */
export async function runMasterKeyCommand(
  command: string,
  {
    environment = process.env,
    commandMsMax = commandDefaultMsMax,
  }: { environment?: NodeJS.ProcessEnv; commandMsMax?: number | undefined } = {},
): Promise<Buffer> {
  const child = spawn('/bin/sh', ['-c', command], {
    env: toCommandEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that all of a pipeline can be killed.
    detached: true,
  })
  const output = keepLast(child.stdout, outputBytesMax)
  const errors = keepLast(child.stderr, shownErrorBytesMax)
  let timer: NodeJS.Timeout | undefined
  const problem = await new Promise<string | undefined>((resolve) => {
    timer = setTimeout(() => resolve(`did not end within ${commandMsMax / 1_000} seconds`), commandMsMax)
    child.once('error', (error: NodeJS.ErrnoException) => resolve(`could not be run: ${error.code}`))
    // Once both streams have ended too.
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    )
  })
  clearTimeout(timer)
  if (problem !== undefined) abandon(child)
  const text = output.bytes.toString().trim()
  const key = problem === undefined && !output.isCut ? parseKey(text) : undefined
  if (key !== undefined) return key
  throw new ConfigError([
    `NUMERA_MASTER_KEY_COMMAND ${problem ?? `must print ${keyFormats}, and nothing else`}. ${toShownError(errors)}`,
  ])
}

/** Ends what is left of it. Nothing waits for a process that has left the group with our pipes. */
function abandon({ pid, stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): void {
  stdout.destroy()
  stderr.destroy()
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
