/** What changed of a figure's rows between two deliveries: pure. */
import type { FieldType } from '../../../engine/fields/field-value.ts'
import type { Format } from '../../../engine/formats/formats.ts'
import { addDecimals, formatDecimal, readDecimal, type Decimal } from '../../../formats/values/decimal.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import type { ReportValue } from '../../values/report-value.ts'
import { toPlan, type AggregatingTerms } from './changed-cells.ts'
import { countValue, type ValueCount } from './count-value.ts'
import { encodeRows, pairRows, ValueNumbers, type Columns } from './encoded-rows.ts'
import { isUniqueKey, proposeKey } from './propose-key.ts'
import { readShownRows, type ShownField, type ShownRow } from './shown-rows.ts'

/** Rows of one delivery behind the figure, and their values; beyond either it is 400. */
export const differenceRowsMax = 300_000
const differenceValuesMax = 20_000_000

export interface DifferenceRequest {
  figure: ReportValue
  fields: readonly (ShownField & { type: FieldType })[]
  personalNames: readonly string[]
  /** Fields by which rows are matched; null for a proposal. */
  key: readonly string[] | null
  /** Fields that are not proposed: those that the metric adds up. */
  counted: readonly string[]
  /** Whether what rows give adds up to the figure. */
  isAdded: boolean
  offset: number
  limit: number
}

/** What identifies a row is rather a text than a time, a number or a yes. */
const keyTypes: readonly FieldType[] = ['text', 'timestamp', 'number', 'bool']

interface Side {
  content: Uint8Array
  format: Format
  terms: AggregatingTerms
}

export const changeKinds = ['gone', 'added', 'changed'] as const
export type ChangeKind = (typeof changeKinds)[number]

export type SideRow = ShownRow & { gave: string | null }

export interface RowChange {
  kind: ChangeKind
  before: SideRow | null
  after: SideRow | null
  /** Names of the fields that differ; null unless it is changed. */
  fields: string[] | null
  difference: string | null
}

export interface RowDifference {
  key: string[]
  isKeyUnique: boolean
  /** Of the days that both are about. */
  valueBefore: string | null
  valueAfter: string | null
  difference: string | null
  rowsSame: number
  kinds: Record<ChangeKind, { rows: number; difference: string | null }>
  /** One page: the largest difference first. */
  changes: RowChange[]
  hasMore: boolean
}

export type FoundDifference = RowDifference | { unreadable: 'before' | 'after'; reason: string } | 'too_large'

/** The rows of one delivery that are compared. */
interface ComparedSide {
  /** By place: the row's number. */
  rows: number[]
  gave: Decimal[]
  value: string | null
}

/**
 * Rows that are the same in both are left out, repeated ones as often as both have them; what remains is matched by the
 * key. Only periods of the metric that both deliveries have rows in are compared.
 */
export function findDifference(before: Side, after: Side, request: DifferenceRequest): FoundDifference {
  const counts = { before: countSide(before, request), after: countSide(after, request) }
  if (typeof counts.before === 'string') return { unreadable: 'before', reason: counts.before }
  if (typeof counts.after === 'string') return { unreadable: 'after', reason: counts.after }
  const common = counts.before.starts.intersection(counts.after.starts)
  const compared = { before: toCompared(counts.before, common), after: toCompared(counts.after, common) }
  const rowsMax = Math.max(compared.before.rows.length, compared.after.rows.length)
  if (rowsMax > differenceRowsMax || rowsMax * request.fields.length > differenceValuesMax) return 'too_large'
  return new Comparison(before, after, compared, request).result()
}

function countSide({ content, format, terms }: Side, { figure }: DifferenceRequest): ValueCount | string {
  return countValue(content, format, terms, figure)
}

function toCompared({ rows, count }: ValueCount, common: ReadonlySet<number>): ComparedSide {
  const { places, value } = count(common)
  return {
    rows: places.map((place) => rows.rows[place]!),
    gave: places.map((place) => rows.gave(place)),
    value,
  }
}

interface Change {
  kind: ChangeKind
  /** Places; -1 for none. */
  before: number
  after: number
  /** At the common scale. */
  digits: bigint
}

class Comparison {
  readonly #sides: { before: Side; after: Side }
  readonly #compared: { before: ComparedSide; after: ComparedSide }
  readonly #request: DifferenceRequest
  readonly #columns: { before: Columns; after: Columns }
  /** What each row gave, at the common scale. */
  readonly #digits: { before: bigint[]; after: bigint[] }
  readonly #scale: number
  readonly #seed: number

  constructor(
    before: Side,
    after: Side,
    compared: { before: ComparedSide; after: ComparedSide },
    request: DifferenceRequest,
  ) {
    this.#sides = { before, after }
    this.#compared = compared
    this.#request = request
    const zone = new TimeZone(after.terms.timeZone)
    const fields = new Map(request.fields.map(({ name, type }) => [name, new ValueNumbers(type, zone)]))
    this.#columns = {
      before: encodeRows(before.content, before.format, compared.before.rows, fields),
      after: encodeRows(after.content, after.format, compared.after.rows, fields),
    }
    const scale = [...compared.before.gave, ...compared.after.gave].reduce(
      (max, gave) => Math.max(max, gave.scale),
      0,
    )
    const toDigits = ({ gave }: ComparedSide): bigint[] =>
      gave.map((each) => (request.isAdded ? addDecimals(each, { digits: 0n, scale }).digits : 0n))
    this.#digits = { before: toDigits(compared.before), after: toDigits(compared.after) }
    this.#scale = scale
    this.#seed = toPlan(after.terms).seed
  }

  result(): RowDifference {
    const { isAdded, offset, limit } = this.#request
    const { key, isUnique } = this.#chooseKey()
    const { changes, rowsSame } = this.#findChanges(key)
    changes.sort((a, b) => compareSizes(b.digits, a.digits))
    const sum = (digits: bigint): string | null =>
      isAdded ? formatDecimal({ digits, scale: this.#scale }) : null
    const kinds = Object.fromEntries(
      changeKinds.map((kind) => {
        const ofKind = changes.filter((change) => change.kind === kind)
        return [
          kind,
          { rows: ofKind.length, difference: sum(ofKind.reduce((total, { digits }) => total + digits, 0n)) },
        ]
      }),
    ) as RowDifference['kinds']
    const { before, after } = this.#compared
    return {
      key: key.map((field) => this.#request.fields[field]!.name),
      isKeyUnique: isUnique,
      valueBefore: before.value,
      valueAfter: after.value,
      difference: isAdded ? subtract(after.value, before.value) : null,
      rowsSame,
      kinds,
      changes: this.#show(changes.slice(offset, offset + limit)),
      hasMore: changes.length > offset + limit,
    }
  }

  #chooseKey(): { key: number[]; isUnique: boolean } {
    const { fields, key, counted } = this.#request
    const sides = [this.#columns.before, this.#columns.after]
    if (key !== null) {
      const chosen = key.map((name) => fields.findIndex((field) => field.name === name))
      return { key: chosen, isUnique: isUniqueKey(sides, chosen, this.#seed) }
    }
    const rank = ({ type, isMasked }: (typeof fields)[number]): number =>
      Number(isMasked) * 4 + keyTypes.indexOf(type)
    const all = [...fields.keys()].toSorted((a, b) => rank(fields[a]!) - rank(fields[b]!))
    const free = all.filter((field) => !counted.includes(fields[field]!.name))
    const proposed = proposeKey(sides, free.length === 0 ? all : free, this.#seed)
    return { key: proposed.fields, isUnique: proposed.isUnique }
  }

  #findChanges(key: readonly number[]): { changes: Change[]; rowsSame: number } {
    const columns = this.#columns
    const digits = this.#digits
    const width = this.#request.fields.length
    const numbers = new Map<bigint, number>()
    const all = { before: [...digits.before.keys()], after: [...digits.after.keys()] }
    const whole = pairRows(all, { width: width + 1, seed: this.#seed }, (list, side, place) => {
      for (let field = 0; field < width; field++) list[field] = columns[side][field]![place]!
      const gave = digits[side][place]!
      const number = numbers.get(gave) ?? numbers.size
      numbers.set(gave, number)
      list[width] = number
    })
    const matched = pairRows(whole, { width: key.length, seed: this.#seed }, (list, side, place) => {
      for (let k = 0; k < key.length; k++) list[k] = columns[side][key[k]!]![place]!
    })
    const changes = matched.pairs.map(([before, after]): Change => {
      return { kind: 'changed', before, after, digits: digits.after[after]! - digits.before[before]! }
    })
    for (const before of matched.before)
      changes.push({ kind: 'gone', before, after: -1, digits: -digits.before[before]! })
    for (const after of matched.after)
      changes.push({ kind: 'added', before: -1, after, digits: digits.after[after]! })
    return { changes, rowsSame: whole.pairs.length }
  }

  #show(changes: readonly Change[]): RowChange[] {
    const { isAdded, fields } = this.#request
    const shown = { before: this.#readShown('before', changes), after: this.#readShown('after', changes) }
    return changes.map(({ kind, before, after, digits }) => ({
      kind,
      before: shown.before.get(before) ?? null,
      after: shown.after.get(after) ?? null,
      fields:
        kind === 'changed'
          ? fields.flatMap(({ name }, field) =>
              this.#columns.before[field]![before] === this.#columns.after[field]![after] ? [] : [name],
            )
          : null,
      difference: isAdded ? formatDecimal({ digits, scale: this.#scale }) : null,
    }))
  }

  /** By place. */
  #readShown(side: 'before' | 'after', changes: readonly Change[]): Map<number, SideRow> {
    const { fields, personalNames, isAdded } = this.#request
    const { rows, gave } = this.#compared[side]
    const places = changes
      .flatMap((change) => (change[side] < 0 ? [] : [change[side]]))
      .toSorted((a, b) => a - b)
    const { content, format } = this.#sides[side]
    const only = places.map((place) => rows[place]!)
    const read = readShownRows(content, format, { fields, personalNames, after: 0, limit: only.length, only })
    const byRow = new Map(read.rows.map((row) => [row.row, row]))
    return new Map(
      places.map((place) => {
        const row = rows[place]!
        // Beyond the size of a page, the values of further rows are left out.
        const shown = byRow.get(row) ?? { row, line: null, values: null, cells: null }
        return [place, { ...shown, gave: isAdded ? formatDecimal(gave[place]!) : null }]
      }),
    )
  }
}

function subtract(after: string | null, before: string | null): string {
  const { digits, scale } = readDecimal(before ?? '0')
  return formatDecimal(addDecimals(readDecimal(after ?? '0'), { digits: -digits, scale }))
}

function compareSizes(a: bigint, b: bigint): number {
  const [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b]
  return left === right ? 0 : left < right ? -1 : 1
}
