/**
 * Nothing was heard of what was asked of the database within its deadline. Nobody knows whether it was done: who sends it
 * again finds out.
 */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}
