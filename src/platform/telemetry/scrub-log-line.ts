/**
 * The last check of a log line before it is written. Nothing that gets here should hold any of this; the worst that
 * could be written is taken out all the same. A line is JSON: what it has behind a backslash, such as the `n` of a new line,
 * does not belong to the word that follows.
 */
const replacements: readonly [RegExp, string][] = [
  // A key or a certificate, to its end or to where the text ends.
  [/-----BEGIN [A-Z0-9 ]+-----(?:[^-"]|-(?!----))*(?:-----END [A-Z0-9 ]+-----)?/g, 'PEM …'],
  // Base64 of DER with a length of one or two bytes, and of XML: certificates, signatures, answers to OCSP.
  [/(?<!(?<!\\)[\w+/-])(?:MI[GHIJ]|PD94bWwg|PFNpZ25hdHVy)[\w+/=-]{40,}/g, '…'],
  // A JWT.
  [/eyJ[\w-]{8,}\.[\w.-]+/g, 'eyJ…'],
  // Tokens, credentials, client and webhook secrets, links that invite: everything that opens something begins with one of these.
  [/(?<!(?<!\\)\w)(n(?:sk|cs|at|rt|ac|k|ws|iv)_)\w+/g, '$1…'],
  [/(?<!(?<!\\)\w)(Bearer|Basic) [\w.~+/=-]{8,}/gi, '$1 …'],
  [/(numera_(?:session|order)=)[\w%.-]+/g, '$1…'],
  // The password in a database's address.
  [/(:\/\/[^\s:@/"]*):[^\s@/"]+@/g, '$1:…@'],
  // The query of an address.
  [/(\/[^\s"?]*)\?[^\s"\\]+/g, '$1?…'],
  // Personal and organisation numbers, with their sign or as twelve digits. Not inside a UUID.
  [/(?<!(?<!\\)[\w-])(?:\d{2})?\d{6}[-+]\d{4}(?![\w-])/g, '…'],
  [/(?<!(?<!\\)[\w-])(?:16|18|19|20)\d{10}(?![\w-])/g, '…'],
]

const tenDigits = /(?<!(?<!\\)[\w.-])\d{10}(?![\w.-])/g

/** The check digit that organisation and personal numbers have (Luhn's). */
function isChecked(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[index]) * (index % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** Takes secrets, URL queries, and personal and organisation numbers out of a line. */
export function scrubLogLine(line: string): string {
  let scrubbed = line
  for (const [pattern, replacement] of replacements) scrubbed = scrubbed.replace(pattern, replacement)
  return scrubbed.replace(tenDigits, (digits) => (isChecked(digits) ? '…' : digits))
}
