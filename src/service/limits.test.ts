import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'

/** `docs/limits.md` and the code say the same. */

const root = join(import.meta.dirname, '..', '..')

interface Line {
  what: string
  default: string
  variables: string[]
  file: string | undefined
  /** `constant`, or `constant.member.member`. */
  name: string | undefined
}

interface Rate {
  perMinute: number
  burst: number
}

const isRate = (value: unknown): value is Rate =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).toSorted().join() === 'burst,perMinute' &&
  Object.values(value).every((part) => typeof part === 'number')

type Dimension = 'bytes' | 'time' | 'share' | 'count'

/** Bounds are named with their unit last (`bodyBytesMax`, `statementTimeoutMs`). */
const boundName = /(?:Max|Min|Ms|Seconds|Minutes|Hours|Days|PerSecond|PerMinute|Rate|Share)$/
/** Lengths of time that are not bounds: the units of others. */
const plainUnit = /^(?:second|minute|hour|day|week)s?(?:Ms|Seconds)$/
/** Objects whose members are bounds. */
const boundsName = /^(?:limits|lanes|\w+(?:Limits|Lanes))$/

const msBySuffix: [suffix: RegExp, ms: number][] = [
  [/Ms(?:Max|Min)?$/, 1],
  [/Seconds(?:Max|Min)?$/, 1_000],
  [/Minutes(?:Max|Min)?$/, 60_000],
  [/Hours(?:Max|Min)?$/, 3_600_000],
  [/Days(?:Max|Min)?$/, 86_400_000],
]

/** What a constant's value is in bytes, milliseconds, or as it is. */
const measure = (name: string, value: number): { dimension: Dimension; amount: number } => {
  const time = msBySuffix.find(([suffix]) => suffix.test(name))
  if (/[Bb]ytes(?:Max|Min|PerSecond)?$/.test(name)) return { dimension: 'bytes', amount: value }
  if (time) return { dimension: 'time', amount: value * time[1] }
  if (name.endsWith('Share')) return { dimension: 'share', amount: value }
  return { dimension: 'count', amount: value }
}

const units: Record<Exclude<Dimension, 'count'>, [unit: string, size: number][]> = {
  bytes: [
    ['GiB', 1_024 ** 3],
    ['MiB', 1_024 ** 2],
    ['KiB', 1_024],
    ['bytes', 1],
  ],
  time: [
    ['days', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ],
  share: [['%', 0.01]],
}

const count = (number: number): string => number.toLocaleString('en-US', { maximumFractionDigits: 6 })

/** As the page should say it. */
const say = (name: string, value: number | Rate): string => {
  if (typeof value !== 'number') return `${value.perMinute} a minute, burst ${value.burst}`
  const { dimension, amount } = measure(name, value)
  if (dimension === 'count') return count(amount)
  const [unit, size] =
    units[dimension].find(([, each]) => Number.isInteger(amount / each)) ?? units[dimension].at(-1)!
  return `${count(amount / size)} ${unit}`
}

/** Whether the page says the value, in any unit. */
const isSaid = (said: string, name: string, value: number | Rate): boolean => {
  if (typeof value !== 'number') return said === say(name, value)
  const { dimension, amount } = measure(name, value)
  const [, digits, unit] = /^([\d,]+(?:\.\d+)?) ?(\S+)?/.exec(said) ?? []
  if (digits === undefined) return false
  const number = Number(digits.replaceAll(',', ''))
  if (dimension === 'count') return number === amount
  const singular = unit === 'day' ? 'days' : unit
  const size = units[dimension].find(([each]) => each === singular)?.[1]
  return size !== undefined && Math.abs(number * size - amount) <= amount * 1e-9
}

const memberOf = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value)

/** The bounds in an object, by their path. */
const leavesOf = (value: unknown, path: string[] = []): [path: string[], value: number | Rate][] => {
  if (typeof value === 'number' || isRate(value)) return [[path, value]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]))
}

const configFile = 'src/config/read-config.ts'
const { config } = readConfig({})
/** Where something listens, and numbers that stand for lanes: not bounds. */
const noBounds = new Set(['http.port', 'metrics.port', 'src/backlog/lanes.ts lanes'])

const lines: Line[] = []
/** Every exported bound of the service, as `file name`. */
const bounds = new Map<string, { name: string; value: number | Rate; doc: string }>()
let configuration: Map<string, string>

beforeAll(async () => {
  const page = await readFile(join(root, 'docs/limits.md'), 'utf8')
  for (const row of page.matchAll(/^\| (?!what \| default)(.*) \|$/gm)) {
    const cells = row[1]!.split(' | ')
    expect(cells, `docs/limits.md: "${row[0]}" has another number of cells than 5`).toHaveLength(5)
    const [what = '', standard = '', , variables = '', where = ''] = cells
    const [, file, name] = /^`(src\/[\w/-]+\.ts)`(?: `([\w.]+)`)?$/.exec(where) ?? []
    if (file === undefined) expect(where, `docs/limits.md: where "${what}" stands`).toBe('—')
    lines.push({
      what,
      default: standard,
      variables: [...variables.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!),
      file,
      name,
    })
  }

  const settings = await readFile(join(root, 'docs/configuration.md'), 'utf8')
  configuration = new Map(
    [...settings.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map((match) => [match[1]!, match[2]!]),
  )

  const files = await readdir(join(root, 'src'), { recursive: true })
  for (const path of files.filter((each) => each.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(each))) {
    const file = `src/${path}`
    const code = await readFile(join(root, file), 'utf8')
    for (const match of code.matchAll(/(?:\/\*\*((?:(?!\*\/).)*)\*\/\n)?^export const (\w+)\b/gms)) {
      const [, comment = '', name = ''] = match
      const isBounds = boundsName.test(name)
      if (!isBounds && (!boundName.test(name) || plainUnit.test(name))) continue
      if (noBounds.has(`${file} ${name}`)) continue
      const exported = ((await import(join(root, file))) as Record<string, unknown>)[name]
      const doc = comment.replaceAll(/\s*\n?\s*\*\s*/g, ' ').trim()
      if (!isBounds && typeof exported !== 'number' && !isRate(exported)) continue
      for (const [rest, value] of leavesOf(exported)) {
        const full = [name, ...rest].join('.')
        bounds.set(`${file} ${full}`, { name: full, value, doc })
      }
    }
  }
  for (const [path, value] of leavesOf(config)) {
    const name = path.join('.')
    if (!noBounds.has(name)) bounds.set(`${configFile} ${name}`, { name, value, doc: '' })
  }
}, 60_000)

test('every bound of the code stands in docs/limits.md', () => {
  const documented = new Set(lines.map(({ file, name }) => `${file} ${name}`))
  const missing = [...bounds]
    .filter(([place]) => !documented.has(place))
    .map(([place, { name, value, doc }]) => {
      const [file] = place.split(' ')
      const setBy = file === configFile ? '`NUMERA_…`' : '—'
      return `| ${doc || '…'} | ${say(name, value)} | … | ${setBy} | \`${file}\` \`${name}\` |`
    })
  expect(missing, `add to the table of its area:\n${missing.join('\n')}\n`).toEqual([])
})

test('every line of docs/limits.md says the default that the code has', async () => {
  const wrong: string[] = []
  for (const { what, default: said, variables, file, name } of lines) {
    if (file === undefined) continue
    if (name === undefined) {
      await access(join(root, file))
      continue
    }
    const isConfig = file === configFile
    const [first = '', ...rest] = name.split('.')
    const value = isConfig
      ? memberOf(config, name.split('.'))
      : memberOf(((await import(join(root, file))) as Record<string, unknown>)[first], rest)
    if (typeof value !== 'number' && !isRate(value)) {
      wrong.push(
        `"${what}": ${file} exports no bound ${name}: take the line out, or name the constant as it is`,
      )
    } else if (isConfig && !/^\d/.test(said)) {
      // The default depends on the machine: the other page describes it in the same words.
      const other = variables.map((variable) => configuration.get(variable))
      if (!other.includes(said)) wrong.push(`"${what}": docs/configuration.md says ${other.join(', ')}`)
    } else if (!isSaid(said, name, value)) {
      wrong.push(`"${what}" says ${said}; ${file} has ${name} = ${say(name, value)}`)
    }
  }
  expect(wrong, `in docs/limits.md:\n${wrong.join('\n')}\n`).toEqual([])
})

test('no bound stands in docs/limits.md twice, and what sets one is in docs/configuration.md', () => {
  const places = lines.filter(({ name }) => name !== undefined).map(({ file, name }) => `${file} ${name}`)
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  for (const { what, variables, file, default: said } of lines) {
    expect(file === configFile, `"${what}": only a line of ${configFile} is set by a variable`).toBe(
      variables.length > 0,
    )
    for (const variable of variables) {
      expect([...configuration.keys()], `"${what}"`).toContain(variable)
      // Rates have a variable for each of their numbers.
      const standard = configuration.get(variable)!.replaceAll('`', '')
      const isOfLine = said.replaceAll(',', '').split(' ').includes(standard) || said === standard
      const inMs = variable.endsWith('_MS') && isSaid(said, 'Ms', Number(standard))
      expect(isOfLine || inMs, `"${what}" says ${said}, docs/configuration.md ${standard}`).toBe(true)
    }
  }
})

/** Specification, "Limits", row by row. */
test.each<[what: string, place: string, value: number | Rate]>([
  ['service connection requests', 'src/config/read-config.ts rates.connection', { perMinute: 60, burst: 20 }],
  ['webhook deliveries', 'src/config/read-config.ts rates.webhook', { perMinute: 60, burst: 20 }],
  ['demo connection', 'src/config/read-config.ts rates.demo', { perMinute: 10, burst: 5 }],
  ['delivery size', 'src/deliveries/intake/delivery.ts bodyBytesMax', 8_388_608],
  [
    '`idempotency_key` and `Service-Delivery-Id` length',
    'src/deliveries/intake/idempotency-key.ts keyLengthMax',
    200,
  ],
  ['`dropped_keys` in a receipt', 'src/deliveries/intake/dropped-keys.ts droppedKeysMax', 50],
  ['read window', 'src/samples/read-window.ts windowDaysMax', 731],
  ['samples per read', 'src/samples/read-samples.ts samplesMax', 5_000],
  ['webhook signature clock skew', 'src/deliveries/webhooks/headers.ts skewSecondsMax', 300],
  ['previous webhook secret', 'src/sources/rotate-signing-secret.ts overlapMs', 24 * 3_600_000],
  ['access token', 'src/oauth/token/token-pair.ts accessTokenMs', 3_600_000],
  ['authorization code', 'src/oauth/authorize/issue-code.ts codeLifetimeMs', 5 * 60_000],
  ['delegated connection', 'src/consent/consent-end.ts lifetimeMs', 90 * 86_400_000],
  [
    'registration per address',
    'src/oauth/register/limit-registrations.ts addressRate',
    { perMinute: 3, burst: 3 },
  ],
  [
    'registration per network',
    'src/oauth/register/limit-registrations.ts networkRate',
    { perMinute: 3, burst: 10 },
  ],
  ['registration for the deployment', 'src/oauth/register/limit-registrations.ts attemptsInHourMax', 120],
  ['redirect addresses', 'src/oauth/register/read-redirect-uris.ts addressesMax', 10],
  ['`client_name`', 'src/oauth/register/read-client-name.ts clientNameCharactersMax', 100],
  ['`companies` parameter', 'src/oauth/authorize/read-companies.ts suggestedCompaniesMax', 100],
])('the specification’s limit of %s is the default', (_what, place, value) => {
  expect(bounds.get(place)?.value).toEqual(value)
})

test('lengths, times and rates are read in the units that people write', () => {
  expect(isSaid('8 MiB', 'bodyBytesMax', 8_388_608)).toBe(true)
  expect(isSaid('8,388,608 bytes', 'bodyBytesMax', 8_388_608)).toBe(true)
  expect(isSaid('8 MB', 'bodyBytesMax', 8_388_608)).toBe(false)
  expect(isSaid('1.5 s', 'readTimeoutMs', 1_500)).toBe(true)
  expect(isSaid('1 day', 'keptHours', 24)).toBe(true)
  expect(isSaid('24 h', 'keptDays', 1)).toBe(true)
  expect(isSaid('5 s', 'readTimeoutMs', 5)).toBe(false)
  expect(isSaid('5,000 samples', 'samplesMax', 5_000)).toBe(true)
  expect(isSaid('25 %', 'companyShare', 0.25)).toBe(true)
  expect(isSaid('60 a minute, burst 20', 'rate', { perMinute: 60, burst: 20 })).toBe(true)
  expect(isSaid('60 a minute, burst 2', 'rate', { perMinute: 60, burst: 20 })).toBe(false)
  expect(say('drainMsMax', 20_000)).toBe('20 s')
})
