/** Matches anything: in a text, as a whole value, and at the end of a list or an object for more of them. */
const anything = '…'

const toPattern = (text: string, wildcard: string): string =>
  text.split(anything).map(RegExp.escape).join(wildcard)

const isLike = (expected: string, actual: string): boolean =>
  new RegExp(`^${toPattern(expected, '.*')}$`, 's').test(actual)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function differenceInLists(expected: unknown[], actual: unknown[], path: string): string | undefined {
  const isOpen = expected.at(-1) === anything
  const shown = isOpen ? expected.slice(0, -1) : expected
  if (actual.length < shown.length || (!isOpen && actual.length > shown.length)) {
    return `${path} has ${actual.length} elements`
  }
  for (const [index, each] of shown.entries()) {
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

/** The lines, without trailing white space and trailing empty lines. */
const toLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())

function differenceInText(expected: string, actual: string): string | undefined {
  const lines = toLines(actual)
  // Alone on a line it matches any number of lines.
  const pattern = toLines(expected).map((line) =>
    line.trim() === anything ? '(?:.*\n)*' : `${toPattern(line, '.*')}\n`,
  )
  if (new RegExp(`^${pattern.join('')}$`).test(`${lines.join('\n')}\n`)) return undefined
  const wrong = toLines(expected).find((line) => !lines.some((each) => isLike(line, each)))
  return wrong === undefined ? 'its lines are others' : `no line is "${wrong}"`
}

/**
 * The first difference from what a page shows, or undefined.
 *
 * - JSON is compared as JSON. `…` in a text matches any characters, as a whole value any value, at the end of a list
 *   more elements, and as the name of a member more members.
 * - Every other language is compared line by line. `…` matches any characters of a line, alone on a line any lines.
 */
export function differenceFrom(language: string, expected: string, actual: string): string | undefined {
  return language === 'json' ? differenceInJson(expected, actual) : differenceInText(expected, actual)
}
