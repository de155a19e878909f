import { isUtf8 } from 'node:buffer'
import { checkJson } from '../../json/check-json.ts'
import { describeJsonError } from '../../json/describe-json-error.ts'
import { JsonError } from '../../json/json-error.ts'
import { SieError } from '../../sie/sie-error.ts'
import { sieRowFields, SieRows } from '../../sie/sie-rows.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { DeliveryFormat } from './delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import { dropUndeclaredColumns } from './drop-undeclared-columns.ts'
import { dropUndeclaredLines } from './drop-undeclared-lines.ts'
import { dropUndeclared, type KeptContent } from './drop-undeclared.ts'
import { findFormat } from './find-format.ts'
import { notUtf8, recogniseFile } from './recognise-file.ts'

/** What is stored of a parsed document. */
export interface ReadDocument extends KeptContent {
  format: DeliveryFormat
}

/**
 * Parses a document as received: finds its format if none is declared, checks that it is well-formed, and drops keys or
 * columns that are not declared [push.document], [hook.csv]. SIE is kept whole. `declared` are the names of the shape
 * version that it is sent under. Pure, in linear time. Throws a `DeliveryError` with field `body`, whose message says
 * where the fault is and quotes nothing but names of columns.
 */
export function readDocument(
  body: Uint8Array,
  format: DeliveryFormat | null,
  declared: DeclaredNames,
): ReadDocument {
  if (body.length === 0) throw new DeliveryError('The body is empty: send the document in it.', 'body')
  const file = recogniseFile(body)
  if (file !== undefined) throw new DeliveryError(file, 'body')
  const start = afterByteOrderMark(body)
  const found = format ?? findFormat(body, start)
  if (found !== 'sie' && !isUtf8(body)) throw new DeliveryError(notUtf8(body), 'body')
  return { format: found, ...keep[found](body, start, declared) }
}

/** By format: checks the document that begins at `start` and keeps what is declared. */
const keep: Record<
  DeliveryFormat,
  (body: Uint8Array, start: number, declared: DeclaredNames) => KeptContent
> = {
  json: (body, start, declared) => keepJson(body.subarray(start), declared),
  json_lines: dropUndeclaredLines,
  csv: (body, _start, declared) => dropUndeclaredColumns(body, declared),
  sie: (body, _start, declared) => keepSie(body, declared),
}

function keepJson(json: Uint8Array, declared: DeclaredNames): KeptContent {
  try {
    const { start, end } = checkJson(json)
    return dropUndeclared(json, start, end, declared, 'body')
  } catch (error) {
    if (error instanceof JsonError) throw new DeliveryError(describeJsonError(error, json), 'body')
    throw error
  }
}

function keepSie(body: Uint8Array, declared: DeclaredNames): KeptContent {
  if (!sieRowFields.some((field) => declared.hasText(field))) {
    throw new DeliveryError(
      `The source declares no field that a SIE file has: ${sieRowFields.join(', ')}.`,
      'body',
    )
  }
  try {
    const rows = new SieRows(body)
    while (rows.next());
    return { content: body, droppedKeys: [] }
  } catch (error) {
    if (error instanceof SieError) throw new DeliveryError(error.message, 'body')
    throw error
  }
}

/** Where the text begins. */
function afterByteOrderMark([first, second, third]: Uint8Array): number {
  return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0
}
