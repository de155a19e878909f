import * as errors from 'numera-client'
import { CommandFailure, exitCodes, type ExitCode, UsageError } from './exit-code.ts'

export interface Failure {
  exitCode: ExitCode
  message: string
  /** For `--json`, of a refusal by the service. */
  details?: {
    code: string | undefined
    field: string | undefined
    request_id: string | undefined
    help: string | undefined
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a folder: `push --watch` sends what comes into one',
  EEXIST: 'exists already: move it away first',
  ENOTDIR: 'is not in a folder',
}

function toSeconds(ms: number | undefined): string {
  return ms === undefined ? 'later' : `in ${Math.ceil(ms / 1000)} s`
}

/** What to say about an error, and with which code to end; undefined for a bug. */
export function toFailure(error: unknown): Failure | undefined {
  if (
    error instanceof UsageError ||
    error instanceof errors.InvalidKey ||
    error instanceof errors.InvalidRow
  ) {
    return { exitCode: exitCodes.usedWrongly, message: error.message }
  }
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, message: error.message }
  if (error instanceof errors.BrokenFile) return { exitCode: exitCodes.refused, message: error.message }
  if (error instanceof errors.NumeraError) return toServiceFailure(error)
  const { name, code, path } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'ExitPromptError') {
    return {
      exitCode: exitCodes.tryAgain,
      message: 'Interrupted. Run it again: what was stored counts once.',
    }
  }
  const fault = fileFaults[code ?? '']
  if (fault !== undefined || path !== undefined) {
    const message = `${path ?? 'What is named'} ${fault ?? `cannot be used: ${code}`}.`
    return { exitCode: exitCodes.usedWrongly, message }
  }
  return undefined
}

/** Of those that have other names. */
const optionsOfFields: Readonly<Record<string, string>> = {
  as_of: '--as-of',
  idempotency_key: '--key',
  orgnr: '--company',
  period_start: '--period',
  shape_version: '--shape-version',
  source_id: '--source',
}

/** How the command takes a field of the API; other fields as they are. */
function toOption(field: string): string {
  if (field.startsWith('label.')) return `--label ${field.slice('label.'.length)}=…`
  return optionsOfFields[field] ?? field
}

function toServiceFailure(error: errors.NumeraError): Failure {
  const { code, field, requestId, help } = error
  const details = { code, field, request_id: requestId, help }
  const say = (exitCode: ExitCode, advice?: string): Failure => {
    const where = field === undefined ? '' : `${toOption(field)}: `
    const lines = [
      `${where}${error.message}`,
      advice,
      help && `See ${help}`,
      requestId && `Request ${requestId}`,
    ]
    return { exitCode, message: lines.filter(Boolean).join('\n'), details }
  }
  if (error instanceof errors.Unreachable) {
    return say(exitCodes.unreachable, 'Is the address right? `numeractl doctor` looks for the cause.')
  }
  if (error instanceof errors.RateLimited || error instanceof errors.Internal) {
    return say(
      exitCodes.tryAgain,
      `Run it again ${toSeconds(error.retryAfterMs)}: what was stored counts once.`,
    )
  }
  if (error instanceof errors.NotParsedYet || error instanceof errors.Conflict) return say(exitCodes.tryAgain)
  if (error instanceof errors.CredentialRefused) {
    return say(
      exitCodes.refused,
      'The credential has ended or was revoked: `numeractl login` with another one.',
    )
  }
  if (error instanceof errors.SourcePaused) {
    return say(
      exitCodes.refused,
      'Nothing was stored. Resume the source on the company’s pages, then run it again.',
    )
  }
  return say(exitCodes.refused)
}
