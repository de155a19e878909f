import { ArrayCursor } from '../../formats/json/array-cursor.ts'
import type { DeclaredNames } from './declared-names.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { UndeclaredMembers } from './undeclared-members.ts'

export interface KeptContent {
  /** What was sent without undeclared keys or columns; if nothing was dropped, a view of the body. */
  content: Uint8Array
  /** In code point order, at most 50. */
  droppedKeys: string[]
}

/**
 * Drops the members of each row that its shape does not declare [push.content]: everything else stays as
 * received, byte for byte. `body[start, end)` is JSON, scanned before; `name` is for errors. Throws a
 * `FormatError` if it is neither an object nor a list of objects [push.payload].
 */
export function dropUndeclared(
  body: Uint8Array,
  start: number,
  end: number,
  declared: DeclaredNames,
  name: string,
): KeptContent {
  const undeclared = new UndeclaredMembers(body, declared)
  if (body[start] === 0x7b) undeclared.walkRow(start)
  else if (body[start] === 0x5b) {
    const rows = new ArrayCursor(body)
    rows.open(start)
    while (rows.next()) {
      if (body[rows.itemStart] !== 0x7b) {
        throw new FormatError('no_rows', `Item ${rows.count} of ${name} is not an object.`)
      }
      rows.leave(undeclared.walkRow(rows.itemStart))
    }
  } else if (body[start] === 0x22) {
    throw new FormatError(
      'no_rows',
      `${name} is text: send the object or list itself, without quotes around it.`,
    )
  } else throw new FormatError('no_rows', `${name} is neither an object nor a list of objects.`)
  return { content: undeclared.kept(start, end), droppedKeys: undeclared.names() }
}
