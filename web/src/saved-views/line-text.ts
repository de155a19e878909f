/** A metric of a source. */
export interface Operand {
  source_id: string
  metric: string
}

/** A sum of operands, or a ratio of two, as the API's `line` is written. */
export interface Line<Of extends Operand = Operand> {
  numerator: readonly Of[]
  denominator: readonly Of[] | null
}

/** As the service limits them. */
export const [linesMax, sumOperandsMax] = [4, 12]

/** `<source_id>.<metric>`. */
export function writeOperand({ source_id, metric }: Operand): string {
  return `${source_id}.${metric}`
}

/** The operands of a sum are separated by commas, the two sums of a ratio by a slash. */
export function writeLine({ numerator, denominator }: Line): string {
  return [numerator, denominator ?? []]
    .filter((sum) => sum.length > 0)
    .map((sum) => sum.map(writeOperand).join(','))
    .join('/')
}

/** Reads what {@link writeLine} writes; of other texts, what the service will refuse. */
export function parseLine(text: string): Line {
  const [numerator = [], denominator = null] = text.split('/').map((sum) =>
    sum.split(',').map((operand) => {
      const [source_id = '', metric = ''] = operand.split('.')
      return { source_id, metric }
    }),
  )
  return { numerator, denominator }
}
