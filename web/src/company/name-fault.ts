/** As the service has it (docs/limits.md). */
const nameCharactersMax = 100

/** Control, formatting and private characters, and separators of lines. */
const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}]/u

/** What the service would have against a name that others read. It checks again, and has the last word. */
export function nameFault(text: string): 'empty' | 'tooLong' | 'hidden' | undefined {
  const name = text.trim().normalize('NFC')
  if (name === '') return 'empty'
  if ([...name].length > nameCharactersMax) return 'tooLong'
  return hiddenCharacters.test(name) ? 'hidden' : undefined
}
