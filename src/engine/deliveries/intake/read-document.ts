import { isUtf8 } from 'node:buffer'
import { FormatError } from '../../../formats/documents/format-error.ts'
import type { DeclaredNames } from '../../formats/declared-names.ts'
import type { KeptContent } from '../../formats/drop-undeclared.ts'
import { type Format, findFormat, formats } from '../../formats/formats.ts'
import { DeliveryError } from './delivery-error.ts'
import { notUtf8, recogniseFile } from './recognise-file.ts'

/** What is stored of a parsed document. */
export interface ReadDocument extends KeptContent {
  format: Format
}

/**
 * Parses a document as received: finds its format if none is declared, checks that it is well-formed, and drops keys or
 * columns that are not declared [push.document], [hook.csv]. `declared` are the names of the shape
 * version that it is sent under. Pure, in linear time. Throws a `DeliveryError` with field `body`, whose message says
 * where the fault is and quotes nothing but names of columns.
 */
export function readDocument(body: Uint8Array, format: Format | null, declared: DeclaredNames): ReadDocument {
  if (body.length === 0) throw new DeliveryError('The body is empty: send the document in it.', 'body')
  const file = recogniseFile(body)
  if (file !== undefined) throw new DeliveryError(file, 'body')
  const start = afterByteOrderMark(body)
  const found = format ?? findFormat(body, start)
  const { encoding, keepDeclared } = formats[found]
  if (encoding === null && !isUtf8(body)) throw new DeliveryError(notUtf8(body), 'body')
  try {
    return { format: found, ...keepDeclared(body, start, declared) }
  } catch (error) {
    if (error instanceof FormatError) throw new DeliveryError(error.message, 'body')
    throw error
  }
}

/** Where the text begins. */
function afterByteOrderMark([first, second, third]: Uint8Array): number {
  return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0
}
