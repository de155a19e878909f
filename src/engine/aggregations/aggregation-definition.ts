import type { Accumulator, CellValue, CountedField } from './accumulator.ts'
import type { CellRule } from './cell-rule.ts'

/** What checking a declaration needs of an aggregation. */
export type AggregationRules = Pick<AggregationDefinition, 'counts' | 'takesTimes'>

/** Everything that is particular to one aggregation. Results never depend on the order of deliveries. */
export interface AggregationDefinition {
  /** A few words for the API documents. */
  readonly description: string
  /** Its words on the pages, in their languages. */
  readonly words: Readonly<Record<'en' | 'sv', AggregationWords>>
  /** What a metric counts: numbers, which are computed with; any values, which are distinguished; or rows, all of them if it names no field. */
  readonly counts: 'numbers' | 'values' | 'rows'
  /** Whether a metric may have a second factor, and then counts products. */
  readonly takesTimes: boolean
  /** What a contribution has besides its value: hashes of the distinct values, or the event time of the value. */
  readonly keeps: 'distinct_values' | 'event_time' | null
  /** How values of several labels or periods combine into one; null if they cannot. */
  readonly combines: Combination | null
  /** Aggregates the rows of one delivery. */
  accumulator(counted: CountedField): Accumulator
  /**
   * The value of a cell from all its contributions in the order in which their deliveries were received, at least one:
   * the model that `rule` and `valueSql` must agree with.
   */
  combine(contributions: readonly ContributedValue[]): string
  /** How contributions are merged into a cell of an events source, one after another [fold.events]. */
  readonly rule: CellRule
  /** The value of a cell of an events source from some of its contributions, as SQL. */
  valueSql(of: CellSql): string
}

interface AggregationWords {
  /** In a list of aggregations. */
  name: string
  /** The label of the control for the counted field. */
  field: string
  /** What it does, with `{{what}}` for the counted field. */
  sentence: string
  /** The same without a field; only where rows are counted. */
  rowsSentence?: string
}

export const combinations = ['sum', 'min', 'max'] as const
export type Combination = (typeof combinations)[number]

/** What one delivery contributes to a cell. */
export interface ContributedValue extends CellValue {
  /** If the aggregation keeps them: 16 bytes for each distinct value. */
  distinct?: Buffer
}

/** The contributions to count, as SQL. */
export interface CellSql {
  /** `from contributions where …` */
  contributions: string
  /** `from distinct_values where …`: the values that these contributions were the first to have. */
  distinctValues: string
  /** The sum of the contributions' values, which a query may have computed already. */
  sum: string
}
