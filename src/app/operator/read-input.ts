import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'
import type { TSchema, Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { OperatorError } from './operator-error.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'

/**
 * Reads a JSON file (`-`: standard input) that fits a schema.
 *
 * @throws OperatorError that says what is wrong with it, and where
 */
export async function readJsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema>> {
  let content: string
  try {
    content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}.`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new OperatorError(`${path} is not valid JSON.`)
  }
  const form = Compile(schema)
  if (form.Check(value)) return value
  const fault = form.Errors(value)[0]
  const place = fault?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  throw new OperatorError(
    `${path}: ${place === '' ? '' : `${place} `}${fault?.message ?? 'is not as described'}.`,
  )
}

/** For options that name something by its id. */
export function parseId(value: string): string {
  if (!uuidPattern.test(value)) throw new InvalidArgumentError('It is no id.')
  return value.toLowerCase()
}

/** For options that are whole numbers. */
export function parseWholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It is no whole number.')
  return Number(value)
}

/** For options that list several, with commas. */
export function parseList(value: string): string[] {
  return value.split(',').map((item) => item.trim())
}
