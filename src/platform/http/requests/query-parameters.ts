import { nearestName } from '../../../formats/values/nearest-name.ts'
import { printable } from '../../../formats/values/printable.ts'
import type { Contract } from '../contract.ts'
import { invalidArgument } from '../errors/errors.ts'

/** Characters of a parameter's name that an answer repeats. */
const shownNameCharactersMax = 100

/** The parameters that a contract describes: by name, and those whose names only begin as they do (`label.country`). */
interface QueryParameters {
  names: string[]
  patterns: RegExp[]
}

interface QuerySchema {
  type?: string
  properties?: Record<string, QuerySchema>
  patternProperties?: object
}

function getParameters({ query }: Contract): QueryParameters {
  const found: QueryParameters = { names: [], patterns: [] }
  for (const [name, schema] of Object.entries((query as QuerySchema | undefined)?.properties ?? {})) {
    // An object means the parameters that it has as members.
    if (schema.type !== 'object') found.names.push(name)
    else
      for (const pattern of Object.keys(schema.patternProperties ?? {}))
        found.patterns.push(new RegExp(pattern))
  }
  return found
}

/** A name as an answer repeats it: cut off, and without characters that steer a terminal. */
export function shownName(name: string): string {
  const shown = printable(name.slice(0, shownNameCharactersMax).toWellFormed())
  return name.length > shownNameCharactersMax ? `${shown}…` : shown
}

/** The end of a sentence about an unknown name: which name was probably meant, or else which ones there are. */
export function nameAdvice(given: string, known: string[]): string {
  const nearest = nearestName(given, known)
  if (nearest !== undefined) return `the nearest one is \`${nearest}\`.`
  const quoted = known.map((name) => `\`${name}\``)
  if (quoted.length < 2) return quoted.length === 0 ? 'there are none.' : `the only one is ${quoted[0]}.`
  return `known ones are ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}.`
}

function unknownParameter(name: string, { names, patterns }: QueryParameters): Error {
  const shown = shownName(name)
  // `labels.country`, `label[country]` and plain `country` all stand for `label.country`.
  const isBare = /^labels?$/i.test(name)
  const label = isBare ? '<name>' : /^(?:labels?[^a-z0-9]+)?(.*?)\]?$/is.exec(shown)![1]!
  const isLabel = patterns.length > 0 && label !== '' && nearestName(name, names) === undefined
  const labelAdvice = isLabel ? `a label is \`label.${label}\`; ` : ''
  return invalidArgument(`\`${shown}\` is not a parameter; ${labelAdvice}${nameAdvice(name, names)}`, shown)
}

/** Whether a parameter of that name is in the contract. */
export function isParameter(contract: Contract, name: string): boolean {
  const { names, patterns } = getParameters(contract)
  return names.includes(name) || patterns.some((pattern) => pattern.test(name))
}

/**
 * Refuses a query with a parameter that the contract does not describe [read.unknown]: a filter that is ignored would
 * look as if it had been applied.
 *
 * @returns a check that throws 400 with the parameter as its field
 */
export function createParameterCheck(contract: Contract): (query: object) => void {
  const parameters = getParameters(contract)
  const names = new Set(parameters.names)
  return (query) => {
    for (const name of Object.keys(query)) {
      if (names.has(name) || parameters.patterns.some((pattern) => pattern.test(name))) continue
      throw unknownParameter(name, parameters)
    }
  }
}
