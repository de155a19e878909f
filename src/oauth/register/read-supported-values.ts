import { invalidClientMetadata } from './invalid-client-metadata.ts'
import type { JsonObject } from './read-json-object.ts'

/**
 * A field that lists some of what the service supports, such as `grant_types`. Left out, `null` or empty it stands for all of
 * it. What comes back is in the service's order, each once.
 *
 * @throws `invalid_client_metadata` that names the field
 */
export function readSupportedValues<Value extends string>(
  fields: JsonObject,
  name: string,
  supported: readonly Value[],
): Value[] {
  const value = fields[name] ?? []
  const known = (item: unknown): boolean => supported.some((each) => each === item)
  if (!Array.isArray(value) || !value.every(known)) {
    throw invalidClientMetadata(`${name} may list ${supported.join(' and ')}.`)
  }
  return value.length === 0 ? [...supported] : supported.filter((each) => value.includes(each))
}
