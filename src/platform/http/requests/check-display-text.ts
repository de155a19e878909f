import { invalidArgument } from '../errors/errors.ts'

/**
 * A name that people choose and others read: trimmed, at most 100 characters, nothing that is invisible or reverses
 * the direction of writing, so that no name can pass itself off as another.
 *
 * @throws 400 `invalid_argument` that names the field
 */
export function checkDisplayText(text: string, field: string, charactersMax = 100): string {
  const trimmed = text.trim().normalize('NFC')
  if (trimmed === '') throw invalidArgument('It may not be empty.', field)
  if ([...trimmed].length > charactersMax) {
    throw invalidArgument(`It may have at most ${charactersMax} characters.`, field)
  }
  // Control, formatting, unassigned, private-use and lone surrogate characters, line and paragraph separators.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(trimmed)) {
    throw invalidArgument('It may not hold control or formatting characters.', field)
  }
  return trimmed
}
