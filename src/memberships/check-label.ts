import { checkDisplayText } from '../http/check-display-text.ts'
import { invalidArgument } from '../http/errors.ts'

/** In any digits, however it is broken up: 850412-2385, 1985 04 12 2385. */
const personalNumber = /\p{Nd}{2}[-\s]?\p{Nd}{2}[-\s]?\p{Nd}{2}[-+\s\p{Pd}]?\p{Nd}{4}/u

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
