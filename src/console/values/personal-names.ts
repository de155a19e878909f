/** Whether a name is that of a personal field: pure. Masks too much rather than too little. */

/** Normalizes case, Unicode form and surrounding white space. */
function asRead(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/** The last part of a name that is a path, such as `customer.email`. */
function lastPart(name: string): string {
  return asRead(name).replace(/^.*[./]/s, '')
}

export interface PersonalNames {
  /** For a declared field. */
  has(name: string): boolean
  /** For a member inside a value, which no declaration names. */
  hasInside(key: string): boolean
}

/** @param names of personal fields, in any version */
export function createPersonalNames(names: Iterable<string>): PersonalNames {
  const whole = new Set([...names].map(asRead))
  const last = new Set([...whole].map(lastPart))
  return {
    has: (name) => whole.has(asRead(name)),
    hasInside: (key) => last.has(lastPart(key)),
  }
}
