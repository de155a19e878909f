import { setImmediate as breathe } from 'node:timers/promises'
import { stringify } from 'yaml'

/** Strings that an older reader would take for dates or for yes and no are quoted. */
const options = { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 } as const

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

/**
 * A document as YAML, written member by member, two levels deep: writing a large one in one step would block the event loop for a
 * tenth of a second.
 */
export async function writeYaml(document: object): Promise<string> {
  let text = ''
  for (const [key, value] of Object.entries(document)) {
    if (!hasMembers(value)) {
      text += stringify({ [key]: value }, options)
      continue
    }
    for (const [index, member] of Object.entries(value).entries()) {
      const part = stringify({ [key]: Object.fromEntries([member]) }, options)
      // The name of the outer one is in the line above its first member.
      text += index === 0 ? part : part.slice(part.indexOf('\n') + 1)
      await breathe()
    }
  }
  return text
}
