/**
 * The database did not answer within the deadline. Whether it did what was asked is unknown: sending it again finds
 * out.
 */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}
