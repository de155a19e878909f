import { OauthError } from '../oauth-error.ts'
import type { TokenRequest } from './token-request.ts'

/** @throws `invalid_request` where it is missing */
export function requiredParameter({ form }: Pick<TokenRequest, 'form'>, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OauthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}
