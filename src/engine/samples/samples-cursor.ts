import { hash } from 'node:crypto'
import { firstPeriodDay, lastPeriodDay } from '../../formats/values/period.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'

/** Where an answer that does not hold all samples of its window continues: in the same samples, of the same query. */
export interface SamplesCursor {
  projectionId: number
  /** Decimal digits. */
  samplesVersion: string
  /** The last day of the window, counted from 1970-01-01: a query without `to` keeps it after midnight. */
  lastDay: number
  /** The day of the first sample to come, counted alike, and its cell. */
  startDay: number
  startCell: string
  /** Of the query (`digestQuery`). */
  digest: string
}

const pattern =
  /^(\d{1,10}) (\d{1,19}) (-?\d{1,7}) (-?\d{1,7}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}) ([\w-]{16})$/
/** The longest cursor has 139. */
const charactersMax = 150

/** What tells queries apart in their cursors. */
export function digestQuery(query: string): string {
  return hash('sha256', query, 'base64url').slice(0, 16)
}

/**
 * Writes a cursor as text for the caller.
 *
 * @param next day and cell of the first sample to come, as the statement has them
 */
export function writeSamplesCursor(
  { projectionId, samplesVersion, lastDay, digest }: Omit<SamplesCursor, 'startDay' | 'startCell'>,
  next: string,
): string {
  const text = `${projectionId} ${samplesVersion} ${lastDay} ${next} ${digest}`
  return Buffer.from(text).toString('base64url')
}

/** @throws 400 with field `cursor` */
export function refuseCursor(): never {
  throw invalidArgument(
    'cursor is not one that an answer to this query gave: send next as it came, with the same parameters, or leave it out.',
    'cursor',
  )
}

/**
 * Reads what the caller sent as `cursor`. One that no answer gave may pass; it reads nothing that its query would not.
 *
 * @throws 400 with field `cursor`
 */
export function readSamplesCursor(text: string): SamplesCursor {
  const read =
    text.length > charactersMax ? null : pattern.exec(Buffer.from(text, 'base64url').toString('latin1'))
  if (read === null) return refuseCursor()
  const [, projectionId, samplesVersion, lastDay, startDay, startCell, digest] = read
  const cursor = {
    projectionId: Number(projectionId),
    samplesVersion: samplesVersion!,
    lastDay: Number(lastDay),
    startDay: Number(startDay),
    startCell: startCell!,
    digest: digest!,
  }
  const isInOrder =
    cursor.startDay >= firstPeriodDay &&
    cursor.startDay <= cursor.lastDay &&
    // The day after it is the end of the window.
    cursor.lastDay < lastPeriodDay
  return isInOrder ? cursor : refuseCursor()
}
