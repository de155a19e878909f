import type { DeclaredNames } from './declared-names.ts'

/** Names that each list in the message shows; further ones are counted. */
const shownNamesMax = 10
/** Characters of each. */
const shownNameCharactersMax = 40

/** Control and formatting characters could make one sentence look like another. */
function shown(name: string): string {
  const text = [...name.replaceAll(/\p{C}/gu, ' ').trim()]
  return `'${text.length > shownNameCharactersMax ? `${text.slice(0, shownNameCharactersMax - 1).join('')}…` : text.join('')}'`
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, shownNamesMax).map(shown).join(', ')
  return names.length > shownNamesMax ? `${first} and ${names.length - shownNamesMax} more` : first
}

/** One sentence about a header row without any declared name: what it has and what is declared, or what separates it. */
export function namesNothingDeclared(names: readonly string[], declared: DeclaredNames): string {
  if (names.every((name) => name.trim() === ''))
    return 'The header row is empty: name the declared fields in it.'
  if (names.length === 1 && names[0]!.includes('\t')) {
    return 'The columns are separated by tabs: separate them with commas or semicolons.'
  }
  const found = names.length === 1 ? names[0]!.split(';') : names
  return `The header row names no declared field: it has ${listed(found)}; the source declares ${listed(declared.list())}.`
}
