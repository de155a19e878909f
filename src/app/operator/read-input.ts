import type { AppContext } from '../app-context.ts'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'
import type { TSchema, Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { findMember } from '../../people/members/find-member.ts'
import type { Page, PageRequest } from '../../platform/http/pagination.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { OperatorError, orThrow } from './operator-error.ts'

/** Prompts go to standard error, so that a command's answer can be piped. */
const onTerminal = { output: process.stderr }

/**
 * The personal number of an option. `-` reads it from standard input, which keeps it out of the list of processes;
 * without a value the terminal prompts for it, without an echo.
 *
 * @param option such as `--personal-number`
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

/** The member with a personal number. */
export async function namedMember(
  context: AppContext,
  personalNumber: string,
): Promise<{ memberId: string; name: string | null }> {
  return orThrow(
    findMember(context, personalNumber),
    'No member has this personal number: add them with "member add".',
  )
}

/**
 * Asks for confirmation of what cannot be undone, unless `--yes` was given.
 *
 * @throws OperatorError where the answer is no, or there is no terminal
 */
export async function confirmed(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return
  if (!process.stdin.isTTY) throw new OperatorError(`${question} It cannot be undone. Confirm with --yes.`)
  const { default: confirm } = await import('@inquirer/confirm')
  const answer = await confirm({ message: `${question} It cannot be undone.`, default: false }, onTerminal)
  if (!answer) throw new OperatorError('Nothing was changed.', { showsExample: false })
}

export const yesOption = ['--yes', 'do not ask for confirmation'] as const

/**
 * Reads a JSON file (`-`: standard input) that matches a schema.
 *
 * @throws OperatorError that says what is wrong, and where
 */
export async function readJsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema>> {
  let content: string
  try {
    content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new OperatorError(`${path} cannot be read: ${code}.`)
  }
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new OperatorError(`${path} is not valid JSON.`)
  }
  const validator = Compile(schema)
  if (validator.Check(value)) return value
  const fault = validator.Errors(value)[0]
  const place = fault?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  throw new OperatorError(
    `${path}: ${place === '' ? '' : `${place} `}${fault?.message ?? 'is not as described'}.`,
  )
}

/** For options that name something by its id. */
export function parseId(value: string): string {
  if (!uuidPattern.test(value)) throw new InvalidArgumentError('It is not an id.')
  return value.toLowerCase()
}

export function parseWholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It is not a whole number.')
  return Number(value)
}

/** For options with several values, separated by commas. */
export function parseList(value: string): string[] {
  return value.split(',').map((item) => item.trim())
}

/** All items of a paginated list. */
export async function everyPage<Item>(read: (request: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for (let request: PageRequest = { limit: 200 }; ;) {
    const page: Page<Item> = await read(request)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    request = { limit: 200, cursor: page.nextCursor }
  }
}
