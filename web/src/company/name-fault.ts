/** The service's limit (docs/limits.md). */
const nameCharactersMax = 100

/** Control, formatting and private characters, and line separators. */
const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}]/u

/** Why the service would refuse a name. */
export function nameFault(text: string): 'empty' | 'tooLong' | 'hidden' | undefined {
  const name = text.trim().normalize('NFC')
  if (name === '') return 'empty'
  if ([...name].length > nameCharactersMax) return 'tooLong'
  return hiddenCharacters.test(name) ? 'hidden' : undefined
}
