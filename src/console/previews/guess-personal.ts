import { isIP } from 'node:net'
import { parsePersonalNumber } from '../../formats/values/personal-number.ts'
import { wordsOfName } from './words-of-name.ts'

/** Kinds of personal data. */
export const personalKinds = [
  'email',
  'personal_number',
  'phone',
  'name',
  'person',
  'address',
  'birth_date',
  'ip_address',
  'bank_account',
] as const
type PersonalKind = (typeof personalKinds)[number]

export interface PersonalGuess {
  kind: PersonalKind
  by: 'name' | 'values'
}

/** The share of a field's values that must look personal for the field to count as personal. */
const shareOfValues = 0.8
/** The share that must begin with a common first name, if all look like names. */
const shareOfNames = 0.3

/**
 * Whether a field looks like data about a person, in Swedish or English: by its values if they have a recognisable form,
 * otherwise by its name. A guess for a person to review: it errs on the side of marking too much.
 *
 * @param values some of the field's values, none of them empty
 * @param at the present, which decides the century of short personal numbers
 */
export function guessPersonal(name: string, values: readonly string[], at: Date): PersonalGuess | null {
  const kind = kindOfValues(values, at)
  if (kind !== undefined) return { kind, by: 'values' }
  const named = kindOfName(name)
  if (named !== undefined) return { kind: named, by: 'name' }
  return null
}

function kindOfValues(values: readonly string[], at: Date): PersonalKind | undefined {
  if (values.length === 0) return undefined
  const shapes: [PersonalKind, (text: string) => boolean][] = [
    ['email', (text) => emailPattern.test(text)],
    ['personal_number', (text) => parsePersonalNumber(text, at) !== undefined],
    ['bank_account', isIban],
    ['ip_address', (text) => isIP(text) > 0],
    ['phone', (text) => phonePatterns.some((pattern) => pattern.test(text))],
    ['address', (text) => streetPattern.test(text)],
  ]
  const share = (looksSo: (text: string) => boolean): number =>
    values.filter((value) => value.length <= 100 && looksSo(value.trim())).length / values.length
  const found = shapes.find(([, looksSo]) => share(looksSo) >= shareOfValues)
  if (found !== undefined) return found[0]
  // Product names are capitalised too.
  const areNames =
    share((text) => namePattern.test(text)) >= shareOfValues && share(hasFirstName) >= shareOfNames
  return areNames ? 'name' : undefined
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/
// International, or Swedish with an area code.
const phonePatterns = [/^(?:\+|00)\d[\d ()-]{6,18}$/, /^0\d{1,3}[- ]\d[\d ]{4,10}$/]
const streetPattern =
  /^\p{L}.*(?:gatan|gata|vägen|väg|gränd|allén?|stigen|torget?|street|st|road|rd|avenue|ave|queue)\.?\s+\d+\s?\p{L}?\b|^\d+\s+\p{L}.*(?:street|st|road|rd|avenue|ave|queue)\.?$/iu

/** The check digits of ISO 13616 (IBAN). */
function isIban(text: string): boolean {
  const bare = text.replaceAll(' ', '')
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(bare)) return false
  const digits = (bare.slice(4) + bare.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return BigInt(digits) % 97n === 1n
}

/** Two to four words, the first and the last capitalised. */
const namePattern = /^\p{Lu}[\p{L}'-]+(?: [\p{L}.'-]+){0,2} \p{Lu}[\p{L}'-]+$/u

function hasFirstName(text: string): boolean {
  return firstNames.has(text.split(/[ -]/, 1)[0]!.toLowerCase())
}

/** Common first names in Sweden and in English. */
const firstNames = new Set(
  (
    'maria anna margareta elisabeth eva kristina karin birgitta lena marie ingrid marianne kerstin sofia linnea sara helena ' +
    'emma johanna katarina hanna julia ida malin jenny elin ulla annika susanne anita maja alice astrid ebba ella wilma ' +
    'lars erik mikael karl anders johan per nils jan daniel fredrik hans andreas peter gunnar magnus alexander stefan ' +
    'thomas mats oskar emil gustav simon viktor axel filip lucas hugo william oliver elias olof mohamed ahmed ali ' +
    'james john robert michael david richard joseph charles mary patricia jennifer linda elizabeth susan jessica sarah ' +
    'olivia amelia george harry jack emily grace'
  ).split(' '),
)

function hasAny(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((word) => wanted.includes(word))
}

/** Words for a person. An attribute that many people share, such as a country, does not identify one. */
const people =
  'customer kund client klient person employee anställd medarbetare user användare member medlem buyer köpare seller säljare contact kontakt recipient mottagare cashier kassör patient guest gäst owner ägare author'.split(
    ' ',
  )
const notOfOne =
  'country land type typ group grupp segment category kategori count antal number status region city stad currency valuta language språk channel kanal total sum rating tier level nivå new ny is has active'.split(
    ' ',
  )

/** By kind: words that occur in such a field name, and suffixes of compounds. */
const named: readonly [PersonalKind, words: readonly string[], ends: RegExp][] = [
  ['email', ['email', 'mail', 'mejl', 'epost'], /(?:email|epost|mejl)(?:adress|address)?$/],
  ['personal_number', ['pnr', 'ssn'], /(?:personnummer|personnr|samordningsnummer|personalnumber)$/],
  ['birth_date', ['birth', 'dob', 'född', 'birthday', 'birthdate'], /(?:födelsedatum|birthdate|birthday)$/],
  [
    'phone',
    ['phone', 'telephone', 'mobile', 'cellphone', 'tel', 'telefon', 'mobil'],
    /(?:telefon|mobil|phone)(?:nummer|nr|number)?$/,
  ],
  ['ip_address', ['ip'], /ipadress?$|ipaddress$/],
  ['bank_account', ['iban'], /(?:bankkonto|cardnumber|kortnummer)(?:nummer|nr)?$/],
  ['address', ['address', 'adress', 'street', 'gata'], /(?:adress|address)$/],
  [
    'name',
    ['firstname', 'lastname', 'surname', 'fullname', 'förnamn', 'efternamn'],
    /(?:förnamn|efternamn|kundnamn)$/,
  ],
]

function kindOfName(name: string): PersonalKind | undefined {
  const words = wordsOfName(name)
  const joined = words.join('')
  if (joined.includes('personalnumber') || joined.includes('personalidentity')) return 'personal_number'
  const found = named.find(([, wanted, ends]) => hasAny(words, wanted) || ends.test(joined))
  if (found !== undefined) return found[0]
  const isName = hasAny(words, ['name', 'namn'])
  if (isName && hasAny(words, ['first', 'last', 'full', 'given', 'family'])) return 'name'
  if (
    !hasAny(words, people) &&
    !/^(?:kund|medlems|person|anställnings?)(?:id|nr|nummer|namn)$/.test(joined)
  ) {
    return undefined
  }
  if (hasAny(words, notOfOne)) return undefined
  return isName ? 'name' : 'person'
}
