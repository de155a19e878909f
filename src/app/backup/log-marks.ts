import type { Pool } from 'pg'
import { compareSegments } from './layout.ts'
import { selectLogPosition } from './queries.ts'

/** Up to when the segments of a database's log have all that was committed. */
export interface LogMarks {
  /** Notes which segment the database writes now. @returns its name */
  mark(): Promise<string>
  /** An instant before which everything committed is in a segment, or in one before it. */
  finishedAt(segment: string): Date
}

/** More than are noted while a place cannot be reached for an hour. */
const marksMax = 4_000

/**
 * The time of a file says when it was copied, which may be after later commits. What was noted before its end is certain.
 *
 * @param before what is certain of segments that were finished before the first mark
 */
export function createLogMarks(pool: Pool, before: Date): LogMarks {
  let marks: { at: Date; segment: string }[] = []
  return {
    mark: async () => {
      const { at, segment } = (await selectLogPosition.first(pool, {}))!
      marks.push({ at, segment })
      if (marks.length > marksMax) marks = marks.filter((_, index) => index % 2 === 1)
      return segment
    },
    finishedAt: (name) => {
      const mark = marks.findLast(({ segment }) => compareSegments(segment, name) <= 0)
      return mark === undefined || mark.at < before ? before : mark.at
    },
  }
}
