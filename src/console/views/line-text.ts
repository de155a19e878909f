import { invalidArgument } from '../../platform/http/errors/errors.ts'

/** A metric of a source. */
export interface Operand {
  sourceId: string
  metric: string
}

/** A sum of operands, or a ratio of two. */
export interface Line {
  numerator: readonly Operand[]
  denominator: readonly Operand[] | null
}

/** Lines of a combined report, operands of a sum, and different operands of a report; more are 400. */
export const linesMax = 4
export const sumOperandsMax = 12
export const reportOperandsMax = 24

const operandPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([a-z][a-z0-9_]{0,99})$/

/** In an address: `<source_id>.<metric>`. */
export function writeOperand({ sourceId, metric }: Operand): string {
  return `${sourceId}.${metric}`
}

/**
 * A line in an address. The operands of a sum are separated by commas, and the two sums of a ratio by a slash:
 * `<source_id>.<metric>[,…][/<source_id>.<metric>[,…]]`.
 */
export function writeLine({ numerator, denominator }: Line): string {
  return [numerator, denominator ?? []]
    .filter((sum) => sum.length > 0)
    .map((sum) => sum.map(writeOperand).join(','))
    .join('/')
}

/** A fault of one line, counted from 0. */
export function lineFault(index: number, sentence: string, field = 'line'): Error {
  return invalidArgument(`Line ${index + 1}: ${sentence}`, field)
}

function parseSum(text: string, fault: (sentence: string) => Error): Operand[] {
  const operands = text.split(',').map((part) => {
    const match = operandPattern.exec(part)
    if (match === null) throw fault('each operand is a source id, a point and a metric’s key.')
    return { sourceId: match[1]!, metric: match[2]! }
  })
  if (operands.length > sumOperandsMax) throw fault(`at most ${sumOperandsMax} metrics are added up.`)
  if (new Set(operands.map(writeOperand)).size < operands.length) {
    throw fault('a metric is named twice in one sum, and would count twice.')
  }
  return operands
}

/** Reads what {@link writeLine} writes. @throws 400 with the field */
export function parseLines(texts: readonly string[], field = 'line'): Line[] {
  if (texts.length === 0 || texts.length > linesMax) {
    throw invalidArgument(`Give 1 to ${linesMax} lines.`, field)
  }
  const lines = texts.map((text, index): Line => {
    const fault = (sentence: string): Error => lineFault(index, sentence, field)
    const sums = text.split('/')
    if (sums.length > 2) throw fault('it has more than one slash.')
    const [numerator, denominator] = sums.map((sum) => parseSum(sum, fault))
    return { numerator: numerator!, denominator: denominator ?? null }
  })
  if (new Set(lines.flatMap(listOperands).map(writeOperand)).size > reportOperandsMax) {
    throw invalidArgument(`At most ${reportOperandsMax} different metrics are read together.`, field)
  }
  return lines
}

export function listOperands({ numerator, denominator }: Line): readonly Operand[] {
  return [...numerator, ...(denominator ?? [])]
}
