import { valuesOf, type Parameters } from './parameters.ts'
import { RedirectError } from './redirect-error.ts'

/**
 * Requests come as parameters of the address alone, never as a signed object or by reference (RFC 9101; [oauth.codes]): nothing is fetched from anywhere.
 *
 * @throws `invalid_request`
 */
export function checkRequestObject(parameters: Parameters): void {
  for (const name of ['request', 'request_uri']) {
    if (valuesOf(parameters, name).length > 0) {
      throw new RedirectError('invalid_request', `The parameter ${name} is not supported.`)
    }
  }
}
