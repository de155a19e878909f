/**
 * Where a spreadsheet could begin to calculate: a sign, also in full width (OWASP, "CSV Injection"), at the start of the
 * text or of any part that a comma, semicolon, tab, bar or line break separates. A file is often opened in a program that
 * separates cells differently, where quotation marks are no longer at the start of a cell. Programs skip spaces and
 * quotation marks before a sign, so they are skipped here.
 */
const formulaStart =
  /(?<=^|[,;|\t\r\n])(?=(?:[^\S\t\r\n]|\p{Cf}|")*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu

/**
 * A text as a cell of a file or table for spreadsheets: always in quotation marks, with an apostrophe before anything that
 * could be calculated. Numbers and dates are written without it.
 */
export function spreadsheetText(text: string): string {
  return `"${text.replaceAll(formulaStart, "'").replaceAll('"', '""')}"`
}
