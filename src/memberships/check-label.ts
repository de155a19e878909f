import { checkDisplayText } from '../http/check-display-text.ts'
import { invalidArgument } from '../http/errors.ts'

const personalNumber = /\d{6}[-+]?\d{4}/

/**
 * What an owner calls somebody whose name is not known yet. A personal number is refused: it is not stored anywhere.
 *
 * @returns null where there is none
 * @throws 400 `invalid_argument` with field `label`
 */
export function checkLabel(label: string | undefined): string | null {
  if (label === undefined) return null
  const checked = checkDisplayText(label, 'label')
  if (personalNumber.test(checked)) throw invalidArgument('It may not hold a personal number.', 'label')
  return checked
}
