/** Something that no log may contain. */
export interface FoundSecret {
  what: string
  /** The secret, masked, with the text around it. */
  excerpt: string
}

/** The published credential of a demo (`NUMERA_DEMO_CREDENTIAL`). */
const published = /nsk_demo\w*/g

/** Ids, digests and trace ids, which may contain a personal number by chance. */
const ids = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])|[0-9a-f]{16,}/gi

/** A date of birth; in coordination numbers, the day is 60 higher. The month of an organisation number is 20 or more. */
const day = String.raw`\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]|6[1-9]|[78]\d|9[01])`
const personalNumber = new RegExp(
  String.raw`(?<!\d|\d\.)(?:18|19|20)?(${day})([-+]|%2B)?(\d{4})(?!\d|\.\d)`,
  'gi',
)

/** Checks the last digit (Luhn). */
const isChecked = (digits: string): boolean =>
  Array.from(digits, Number)
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) %
    10 ===
  0

/** A name in a stack trace can be as long, but contains few digits. */
const isRandom = (word: string): boolean => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d.*\d/.test(word)

const kinds: readonly { what: string; pattern: RegExp; holds?: (found: RegExpMatchArray) => boolean }[] = [
  // The prefixes of the credentials of the service.
  { what: 'a credential', pattern: /n(?:sk|cs|at|rt|ac|k|ws|iv)_[\w-]{4,}/g },
  { what: 'a header that opens something', pattern: /\b(?:Bearer|Basic)\s+[\w.~+/-]{8,}/gi },
  { what: 'a JWT', pattern: /eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { what: 'a PEM block', pattern: /-----BEGIN [A-Z0-9 ]+-----/g },
  // Base64 of DER with a sequence of up to 65,535 bytes, and of an XML declaration or signature.
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
  // 32 random bytes, the size of sessions, codes and states.
  {
    what: 'a secret without a name',
    pattern: /(?<![\w+/=-])[\w-]{43}(?![\w+/=-])/g,
    holds: ([word]) => isRandom(word),
  },
  {
    what: 'a personal number',
    pattern: personalNumber,
    // With a separator it is one even if the check digit is wrong.
    holds: ([, born, sign, rest]) => sign !== undefined || isChecked(`${born}${rest}`),
  },
]

/** Replaces the escapes of JSON, which could hide the start of a word. */
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
