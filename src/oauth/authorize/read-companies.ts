import { parseOrgnr } from '../../values/orgnr.ts'
import { valueOf, type OauthParameters } from '../parameters.ts'
import { RedirectError } from '../redirect-error.ts'

/** Organisation numbers in the parameter `companies`; more are `invalid_request`. */
export const suggestedCompaniesMax = 100

/**
 * The companies that the app suggests, as the stored digits [all.orgnr]. The member still picks: whether such companies
 * exist, and whose they are, is not told.
 *
 * @throws `invalid_request` for what is no organisation number, and for more than 100
 */
export function readCompanies(parameters: OauthParameters, now: Date): string[] {
  const given = (valueOf(parameters, 'companies') ?? '').split(/[ ,]/).filter((text) => text !== '')
  if (given.length > suggestedCompaniesMax) {
    throw new RedirectError(
      'invalid_request',
      `The parameter companies may name at most ${suggestedCompaniesMax}.`,
    )
  }
  const numbers = given.map((text) => {
    const orgnr = parseOrgnr(text, now)
    if (orgnr === undefined) {
      throw new RedirectError(
        'invalid_request',
        'The parameter companies must hold organisation numbers, with a space between.',
      )
    }
    return orgnr
  })
  return [...new Set(numbers)]
}
