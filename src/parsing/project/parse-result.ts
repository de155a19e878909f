import type { Delivers } from '../../sources/declaration.ts'
import type { AggregateResult } from '../decode/aggregate-result.ts'

/** One delivery read into one projection. */
export interface Reading {
  companyId: string
  sourceId: string
  projectionId: number
  /** The projection's mode. */
  delivers: Delivers
  artifactId: string
  receiveNumber: number
  receivedAt: Date
  sandbox: boolean
  result: AggregateResult
}

/** A reading whose content could be read. */
export type ParsedReading = Reading & { result: { state: 'parsed' } }

export const isParsed = (reading: Reading): reading is ParsedReading => reading.result.state === 'parsed'
