import type { Parameters } from './parameters.ts'
import { RedirectError } from './redirect-error.ts'

/** RFC 8707, 2: one for each server. */
const mayRepeat = 'resource'

/** RFC 6749, 3.1: no parameter more than once, not even one that nobody asked for. @throws `invalid_request` */
export function checkGivenOnce(parameters: Parameters): void {
  for (const [name, values] of parameters) {
    if (values.length > 1 && name !== mayRepeat) {
      throw new RedirectError('invalid_request', 'A parameter was given twice.')
    }
  }
}
