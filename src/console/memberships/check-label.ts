import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'

/**
 * Ten digits without a letter between them, in any script and with any signs: 850412-2385, 850412.2385, 8 5 0 4 1 2 / 2385. It
 * matches other numbers of ten digits as well.
 */
const personalNumber = /(?:\p{Nd}[^\p{L}\p{Nd}]*){10}/u

/** Invisible characters, some of them letters. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Checks what an owner calls a person whose name is not known yet. Personal numbers are refused because none is ever stored.
 *
 * @returns null if there is none
 * @throws 400 `invalid_argument` with field `label`
 */
export function checkLabel(label: string | undefined): string | null {
  if (label === undefined) return null
  const checked = checkDisplayText(label, 'label')
  // NFKC makes a digit of ①, and reveals some invisible letters that are not marked as such.
  const plain = checked.normalize('NFKC').replaceAll(invisible, '')
  if (personalNumber.test(plain)) {
    throw invalidArgument('It may not contain a personal number, or ten digits that could be one.', 'label')
  }
  return checked
}
