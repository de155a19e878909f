/** Whether a name is that of a personal field: pure, and rather once too often. */

/** A name as people read it: neither its case nor its Unicode form nor white space around it makes another one of it. */
function asRead(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/** Of a name that is a path, such as `customer.email`, its last part. */
function lastPart(name: string): string {
  return asRead(name).replace(/^.*[./]/s, '')
}

export interface PersonalNames {
  /** Of a field that is declared. */
  has(name: string): boolean
  /** Of something inside of a value, which no declaration names. */
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
