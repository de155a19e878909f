import { text } from 'node:stream/consumers'
import { OperatorError } from './operator-error.ts'

/** Questions go to standard error, so that the answer of a command can be piped on. */
const onTerminal = { output: process.stderr }

/**
 * The personal number that an option gives. `-` reads it from standard input, so that it need not appear in the list of
 * processes; without it the terminal prompts for it, without an echo.
 *
 * @param option as it is written, such as `--creator`
 */
export async function readPersonalNumber(value: string | undefined, option: string): Promise<string> {
  if (value !== undefined && value !== '-') return value
  if (process.stdin.isTTY) {
    const { default: password } = await import('@inquirer/password')
    return (await password({ message: 'Personal number' }, onTerminal)).trim()
  }
  if (value === undefined) {
    throw new OperatorError(
      `Give ${option} with a personal number, or with "-" to read it from standard input.`,
    )
  }
  return (await text(process.stdin)).trim()
}

/**
 * Asks before what cannot be undone; `--yes` is the answer beforehand.
 *
 * @throws OperatorError where the answer is no, and where there is no terminal to ask on
 */
export async function confirmed(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return
  if (!process.stdin.isTTY) throw new OperatorError(`${question} It cannot be undone. Say --yes to do it.`)
  const { default: confirm } = await import('@inquirer/confirm')
  const answer = await confirm({ message: `${question} It cannot be undone.`, default: false }, onTerminal)
  if (!answer) throw new OperatorError('Nothing was changed.', { showsExample: false })
}

export const yesOption = ['--yes', 'do it without asking'] as const
