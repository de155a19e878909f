import type { Delivers } from '../../sources/declaration.ts'
import type { AggregateResult } from '../decode/aggregate-result.ts'

/** What parsing one delivery into one projection gave. */
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

/** A parse result whose content could be read. */
export type Parsed = ParseResult & { outcome: { state: 'parsed' } }

export function isParsed(result: ParseResult): result is Parsed {
  return result.outcome.state === 'parsed'
}
