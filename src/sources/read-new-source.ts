import type { Static } from 'typebox'
import type { NewSource } from './contract.ts'
import type { Declaration } from './declaration.ts'
import type { SourceSettings } from './source.ts'

/** What a new source is made of, from the form that the pages and the command's file use. */
export function readNewSource(body: Static<typeof NewSource>): SourceSettings & { declaration: Declaration } {
  const { name, system_kind, delivery_way = 'push', document_form = null, ...declaration } = body
  return {
    name,
    systemKind: system_kind,
    deliveryWay: delivery_way,
    documentFormat: document_form,
    declaration,
  }
}
