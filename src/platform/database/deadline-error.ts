/**
 * The database did not answer within the deadline. Whether the statement took effect is unknown: sending it again finds
 * out.
 */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}
