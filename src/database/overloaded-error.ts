/** Work was turned away before anything was done with it: the caller may try again a little later. */
export class OverloadedError extends Error {
  override name = 'OverloadedError'
}
