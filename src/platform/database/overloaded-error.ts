/** Work was rejected before any of it was done: the caller may try again a little later. */
export class OverloadedError extends Error {
  override name = 'OverloadedError'
}
