import type { AggregationDefinition, CellSql } from './aggregation-definition.ts'
import type { CellRule } from './cell-rule.ts'
import { countDistinct } from './count-distinct.ts'
import { count } from './count.ts'
import { last } from './last.ts'
import { max } from './max.ts'
import { min } from './min.ts'
import { sum } from './sum.ts'

/** How a metric may count [fold.metric]: the one list. */
export const aggregations = {
  sum,
  count,
  count_distinct: countDistinct,
  min,
  max,
  last,
} satisfies Record<string, AggregationDefinition>

export type Aggregation = keyof typeof aggregations

export const aggregationNames = Object.keys(aggregations) as Aggregation[]

/** What each of them is, for the API documents. */
export const aggregationDescription = `How it counts. ${aggregationNames
  .map((name) => `\`${name}\`: ${aggregations[name].description}`)
  .join('; ')}.`

/** The rules of all aggregations, each once. All workers write cells in this order. */
export const cellRules: readonly CellRule[] = [
  ...new Set(aggregationNames.map((name) => aggregations[name].rule)),
]

/** The value of a cell from some of its contributions, as SQL; `name` is an expression for the aggregation's name. */
export function valueSql(name: string, of: CellSql): string {
  return `case ${name} ${aggregationNames
    .map((each) => `when '${each}' then ${aggregations[each].valueSql(of)}`)
    .join(' ')} end`
}
