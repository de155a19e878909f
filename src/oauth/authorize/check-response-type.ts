import { valueOf, type Parameters } from './parameters.ts'
import { RedirectError } from './redirect-error.ts'

/** RFC 6749, 4.1.1. @throws `invalid_request` where it is missing, `unsupported_response_type` where it is not `code` */
export function checkResponseType(parameters: Parameters): void {
  const responseType = valueOf(parameters, 'response_type')
  if (responseType === undefined) {
    throw new RedirectError('invalid_request', 'The parameter response_type is missing.')
  }
  if (responseType !== 'code') {
    throw new RedirectError('unsupported_response_type', 'The only response_type is code.')
  }
}
