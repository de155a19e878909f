import type { Static } from 'typebox'
import type { NewSource } from './source-schemas.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import type { SourceSettings } from './source.ts'

/** A new source from the JSON that the pages send and the command reads. */
export function readNewSource(body: Static<typeof NewSource>): SourceSettings & { declaration: Declaration } {
  const { name, system_kind, channel = 'push', format = null, ...declaration } = body
  return {
    name,
    systemKind: system_kind,
    channel,
    format,
    declaration,
  }
}
