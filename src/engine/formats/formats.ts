import { csv } from './csv.ts'
import type { FormatDefinition } from './format-definition.ts'
import { jsonLines } from './json-lines.ts'
import { json } from './json.ts'
import { sie } from './sie.ts'

/** All formats of documents: the one list. */
export const formats = { json, json_lines: jsonLines, csv, sie } satisfies Record<string, FormatDefinition>

export type Format = keyof typeof formats

export const formatNames = Object.keys(formats) as Format[]

/** The declared format of a source. Throws if this version of the service does not have it. */
export function toFormat(name: string | null): Format | null {
  if (name === null || Object.hasOwn(formats, name)) return name as Format | null
  throw new Error(`There is no format ${name}.`)
}

/**
 * The format of a document whose source declares none, found from its first bytes that are not white space; what begins
 * like no other format is CSV [push.document]. `start` is after any byte order mark.
 */
export function findFormat(body: Uint8Array, start: number): Format {
  let at = start
  while (at < body.length && isSpace(body[at]!)) at++
  return formatNames.find((name) => formats[name].isBegunBy(body, at)) ?? 'csv'
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}
