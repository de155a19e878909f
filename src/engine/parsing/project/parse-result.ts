import type { Delivers } from '../../declarations/declaration.ts'
import type { AggregateResult } from '../../formats/aggregate-result.ts'

/** The result of parsing one delivery for one projection. */
export interface ParseResult {
  companyId: string
  sourceId: string
  projectionId: number
  /** The projection's mode. */
  delivers: Delivers
  artifactId: string
  receiveNumber: number
  receivedAt: Date
  sandbox: boolean
  outcome: AggregateResult
}

/** The result of content that could be parsed. */
export type Parsed = ParseResult & { outcome: { state: 'parsed' } }

export function isParsed(result: ParseResult): result is Parsed {
  return result.outcome.state === 'parsed'
}
