/** Stands for anything, in a text or as a whole value, and at the end of a list or an object for more of them. */
const anything = '…'

const patternOf = (text: string, wildcard: string): string =>
  text.split(anything).map(RegExp.escape).join(wildcard)

const isLike = (expected: string, actual: string): boolean =>
  new RegExp(`^${patternOf(expected, '.*')}$`, 's').test(actual)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function differenceInLists(expected: unknown[], actual: unknown[], path: string): string | undefined {
  const isOpen = expected.at(-1) === anything
  const said = isOpen ? expected.slice(0, -1) : expected
  if (actual.length < said.length || (!isOpen && actual.length > said.length)) {
    return `${path} has ${actual.length} elements`
  }
  for (const [index, each] of said.entries()) {
    const difference = differenceInValues(each, actual[index], `${path}[${index}]`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function differenceInObjects(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  path: string,
): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    if (name === anything) continue
    if (!Object.hasOwn(actual, name)) return `${path}.${name} is missing`
    const difference = differenceInValues(value, actual[name], `${path}.${name}`)
    if (difference !== undefined) return difference
  }
  const more = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name))
  return more.length === 0 || Object.hasOwn(expected, anything)
    ? undefined
    : `${path} also has ${more.join(', ')}`
}

function differenceInValues(expected: unknown, actual: unknown, path: string): string | undefined {
  if (expected === anything) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) return differenceInLists(expected, actual, path)
  if (isObject(expected) && isObject(actual)) return differenceInObjects(expected, actual, path)
  const isSame =
    typeof expected === 'string' && typeof actual === 'string'
      ? isLike(expected, actual)
      : expected === actual
  return isSame ? undefined : `${path} is ${JSON.stringify(actual)}`
}

function parse(text: string, whose: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`what ${whose} is not JSON`)
  }
}

function differenceInJson(expected: string, actual: string): string | undefined {
  try {
    return differenceInValues(parse(expected, 'the page shows'), parse(actual, 'came'), 'the value')
  } catch (error) {
    return (error as Error).message
  }
}

/** Its lines without white space at their ends, nor empty ones at the end of the text. */
const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())

function differenceInText(expected: string, actual: string): string | undefined {
  const lines = linesOf(actual)
  // A line that is nothing else stands for any number of lines.
  const pattern = linesOf(expected).map((line) =>
    line.trim() === anything ? '(?:.*\n)*' : `${patternOf(line, '.*')}\n`,
  )
  if (new RegExp(`^${pattern.join('')}$`).test(`${lines.join('\n')}\n`)) return undefined
  const wrong = linesOf(expected).find((line) => !lines.some((each) => isLike(line, each)))
  return wrong === undefined ? 'its lines are others' : `no line is "${wrong}"`
}

/**
 * What is not as a page shows it, or undefined.
 *
 * - JSON is compared as JSON. `…` in a text stands for any characters, as a whole value for any value, at the end of a list
 *   for more elements, and as the name of a member for more members.
 * - Every other language is compared line by line. `…` stands for any characters of a line, alone on a line for any lines.
 */
export function differenceFrom(language: string, expected: string, actual: string): string | undefined {
  return language === 'json' ? differenceInJson(expected, actual) : differenceInText(expected, actual)
}
