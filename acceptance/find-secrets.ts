/** Something that no log may hold. */
export interface FoundSecret {
  what: string
  /** What stands around it, itself masked. */
  excerpt: string
}

/** The credential that a demo publishes for everybody (`NUMERA_DEMO_CREDENTIAL`). */
const published = /nsk_demo\w*/g

/** Ids, digests and trace ids: their digits say nothing, and a number may stand in them by chance. */
const ids = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])|[0-9a-f]{16,}/gi

/** A day of birth, or one past 60 as a coordination number has; an organisation number's month is 20 or more. */
const day = String.raw`\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]|6[1-9]|[78]\d|9[01])`
const personalNumber = new RegExp(
  String.raw`(?<!\d|\d\.)(?:18|19|20)?(${day})([-+]|%2B)?(\d{4})(?!\d|\.\d)`,
  'gi',
)

/** The check digit that personal numbers have (Luhn's). */
const isChecked = (digits: string): boolean =>
  Array.from(digits, Number)
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) %
    10 ===
  0

/** A name in a stack can be as long, but has hardly a digit. */
const isRandom = (word: string): boolean => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d.*\d/.test(word)

const kinds: readonly { what: string; pattern: RegExp; holds?: (found: RegExpMatchArray) => boolean }[] = [
  // All that opens something and is made here begins with one of these.
  { what: 'a credential', pattern: /n(?:sk|cs|at|rt|ac|k|ws|iv)_[\w-]{4,}/g },
  { what: 'a header that opens something', pattern: /\b(?:Bearer|Basic)\s+[\w.~+/-]{8,}/gi },
  { what: 'a JWT', pattern: /eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { what: 'a PEM block', pattern: /-----BEGIN [A-Z0-9 ]+-----/g },
  // Base64 of DER whose sequence has a length of one or two bytes, and of an XML declaration or signature.
  {
    what: 'a certificate, a key or a signature in base64',
    pattern: /(?<![\w+/-])(?:MI[GHIJ]|PD94bWwg|PFNpZ25hdHVy)[\w+/-]{40,}/g,
  },
  { what: 'a session’s cookie', pattern: /numera_(?:session|order)=[\w%.-]{8,}/g },
  { what: 'a query', pattern: /\/[^\s"'<>?*()]*\?[\w%.~[\]-]+=[^\s"'<>…]/g },
  {
    what: 'a token of BankID or of OpenID Connect',
    pattern:
      /\b(?:auto_?start_?token|qr_?start_?token|qr_?start_?secret|id_?token|access_?token|refresh_?token|logout_?token|code_?verifier|client_?secret)["'\\]*\s*[:=]\s*["'\\]*[\w-]{8,}/gi,
  },
  { what: 'a password of the database', pattern: /postgres(?:ql)?:\/\/[^\s:@/"]*:[^\s@/"…]+@/g },
  // 32 random bytes, as sessions, codes and states have.
  {
    what: 'a secret without a name',
    pattern: /(?<![\w+/=-])[\w-]{43}(?![\w+/=-])/g,
    holds: ([word]) => isRandom(word),
  },
  {
    what: 'a personal number',
    pattern: personalNumber,
    // With its sign it is one, whatever its check digit is.
    holds: ([, born, sign, rest]) => sign !== undefined || isChecked(`${born}${rest}`),
  },
]

/** What JSON writes with a backslash must not hide the beginning of a word. */
const unescape = (line: string): string => line.replace(/\\+(?:[nrtbf"/]|u00[0-9a-f]{2})/gi, ' ')

/** Finds personal numbers, certificates, keys, tokens and queries in a line of a log. */
export const findSecrets = (line: string): FoundSecret[] => {
  const read = unescape(line).replace(published, '')
  const withoutIds = read.replace(ids, '…')
  return kinds.flatMap(({ what, pattern, holds }) => {
    const searched = pattern === personalNumber ? withoutIds : read
    return [...searched.matchAll(pattern)]
      .filter((found) => holds?.(found) ?? true)
      .map((found) => {
        const end = found.index + found[0].length
        const before = searched.slice(Math.max(0, found.index - 60), found.index)
        return {
          what,
          excerpt: `${before}${found[0].slice(0, 3)}███${searched.slice(end, end + 40)}`,
        }
      })
  })
}
