/** How a command ended (README.md). */
export const exitCodes = {
  done: 0,
  refused: 1,
  usedWrongly: 2,
  rowsRefused: 3,
  unreachable: 4,
  tryAgain: 75,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command that was used wrongly, in one sentence that says what to do. */
export class UsageError extends Error {}

/** What a command says about something that it will not do, or not now. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Secrets of Numera have prefixes; none of them may be printed, however it came into a text. */
export function redact(text: string): string {
  return text.replace(/\bn(?:sk|cs|ws|at|rt|ac)_[A-Za-z0-9_-]+/g, (secret) => `${secret.slice(0, 4)}…`)
}
