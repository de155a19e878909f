import { formats, type Format } from '../../formats/documents/format.ts'
import { csv } from './csv.ts'
import type { FormatDefinition } from './format-definition.ts'
import { jsonLines } from './json-lines.ts'
import { json } from './json.ts'
import { sie } from './sie.ts'

/** All formats of documents. */
export const formatDefinitions: Record<Format, FormatDefinition> = { json, json_lines: jsonLines, csv, sie }

/**
 * The format of a document whose source declares none, found from its first bytes that are not white space; what begins
 * like no other format is CSV [push.document]. `start` is after any byte order mark.
 */
export function findFormat(body: Uint8Array, start: number): Format {
  let at = start
  while (at < body.length && isSpace(body[at]!)) at++
  return formats.find((format) => formatDefinitions[format].isBegunBy(body, at)) ?? 'csv'
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}
