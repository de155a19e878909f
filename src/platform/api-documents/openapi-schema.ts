/** Turns the schemas of contracts into those of an OpenAPI 3.1 document, which are JSON Schema 2020-12. */

export type JsonSchema = { [keyword: string]: unknown }

/** `Receipt`, and not `The receipt of a delivery`. */
const componentName = /^[A-Z][A-Za-z0-9]+$/

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A union of single strings reads better as an enumeration. */
function asEnum(schema: JsonSchema): JsonSchema {
  const members = schema['anyOf']
  if (!Array.isArray(members) || members.length === 0) return schema
  const literals = members as JsonSchema[]
  const isPlain = (member: JsonSchema): boolean =>
    typeof member['const'] === 'string' &&
    Object.keys(member).every((key) => key === 'const' || key === 'type')
  if (!literals.every(isPlain)) return schema
  const { anyOf: _members, ...rest } = schema
  return { type: 'string', enum: literals.map((member) => member['const']), ...rest }
}

/** A value or null is one type in two forms, so that its description is where a reader looks for it. */
function asNullable(schema: JsonSchema): JsonSchema {
  const members = schema['anyOf']
  if (!Array.isArray(members) || members.length !== 2) return schema
  const [some, none] = members as [JsonSchema, JsonSchema]
  const isPlain =
    typeof some['type'] === 'string' && some['const'] === undefined && some['enum'] === undefined
  if (none['type'] !== 'null' || !isPlain || some['title'] !== undefined) return schema
  const { anyOf: _members, ...rest } = schema
  return { ...some, ...rest, type: [some['type'], 'null'] }
}

/** A record with any key is written with the usual keyword. */
function asAdditional(schema: JsonSchema): JsonSchema {
  const patterns = schema['patternProperties']
  if (!isObject(patterns)) return schema
  const [[pattern, value] = []] = Object.entries(patterns)
  if (pattern !== '^.*$' || Object.keys(patterns).length !== 1) return schema
  const { patternProperties: _patterns, ...rest } = schema
  return { ...rest, additionalProperties: value }
}

/**
 * Collects the schemas that have a name of their own. Give it every schema of the document; it answers with the
 * schema to write there, a reference for one with a name.
 */
export function createSchemaWriter(): {
  write: (schema: unknown) => JsonSchema
  components: () => Record<string, JsonSchema>
} {
  const named = new Map<string, { schema: JsonSchema; text: string }>()

  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    return isObject(value) ? writeSchema(value) : value
  }

  const keywords = (schema: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        // Instances, not schemas.
        if (keyword === 'const' || keyword === 'enum' || keyword === 'default' || keyword === 'examples') {
          return [keyword, value]
        }
        if ((keyword === 'properties' || keyword === 'patternProperties') && isObject(value)) {
          return [
            keyword,
            Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)])),
          ]
        }
        return [keyword, walk(value)]
      }),
    )

  const writeSchema = (given: JsonSchema): JsonSchema => {
    const schema = keywords(asAdditional(asNullable(asEnum(given))))
    const { title } = schema
    if (typeof title !== 'string' || !componentName.test(title)) return schema
    const { title: _title, ...body } = schema
    const text = JSON.stringify(body)
    const known = named.get(title)
    if (known !== undefined && known.text !== text) throw new Error(`two schemas are titled ${title}`)
    named.set(title, { schema: body, text })
    return { $ref: `#/components/schemas/${title}` }
  }

  return {
    // A copy without what the schema library adds to the keywords.
    write: (schema) => writeSchema(JSON.parse(JSON.stringify(schema)) as JsonSchema),
    components: () =>
      Object.fromEntries(
        [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
      ),
  }
}
