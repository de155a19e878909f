import type { Delivers } from '../../sources/declaration.ts'
import type { FoldResult } from '../decode/aggregate-result.ts'

/** One delivery read into one fold. */
export interface Reading {
  companyId: string
  sourceId: string
  foldId: number
  /** The fold's mode. */
  delivers: Delivers
  artifactId: string
  receiveNumber: number
  receivedAt: Date
  sandbox: boolean
  result: FoldResult
}

/** A reading whose content could be read. */
export type ParsedReading = Reading & { result: { state: 'parsed' } }

export const isParsed = (reading: Reading): reading is ParsedReading => reading.result.state === 'parsed'
