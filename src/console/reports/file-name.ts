import type { FileReport } from './write-csv.ts'

/** Characters of a part of a file's name, such as a company's name. */
const partCharactersMax = 40

/** Letters, digits and hyphens: Å and ä lose their marks, and nothing else is left of other alphabets. */
function toAscii(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return plain.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')
}

/** Without what no system allows in a file's name. */
function toPart(text: string): string {
  const clean = text.replaceAll(/[\s\p{C}<>:"/\\|?*%]+/gu, ' ').trim()
  return Array.from(clean).slice(0, partCharactersMax).join('').trim()
}

/** What a file is of. */
export interface FileOf {
  company: string
  source: string
  /** As in an answer, RFC 3339. */
  readAt: string
  ending: 'csv' | 'xlsx'
}

/**
 * The header that names a file by company, source, metric, days and the instant it was read (RFC 6266): in ASCII, and with all
 * letters. The name ends in `part` if the file lacks values, since nothing inside a CSV file can say so.
 */
export function contentDisposition(
  { metric, periods, window, left_out: leftOut, complete }: FileReport,
  { company, source, readAt, ending }: FileOf,
): string {
  const last = periods.at(-1)?.end ?? window.from
  const instant = `${readAt.slice(0, 16).replaceAll(/[-:]/g, '')}Z`
  const rest = [window.from, last, instant, ...(leftOut > 0 || !complete ? ['part'] : [])]
  const parts = [company, source, metric]
  const ascii = [...parts.map((part) => toAscii(toPart(part))), ...rest]
    .filter((part) => part !== '')
    .join('-')
  const full = `${[...parts.map(toPart), ...rest].join(' ')}.${ending}`
  const encoded = encodeURIComponent(full).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii}.${ending}"; filename*=UTF-8''${encoded}`
}
