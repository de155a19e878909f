import { checkDisplayText } from '../http/check-display-text.ts'
import { invalidArgument } from '../http/errors.ts'

/**
 * Ten digits with no letter between them, whichever digits and signs they are written with: 850412-2385, 850412.2385,
 * 8 5 0 4 1 2 / 2385. Ten digits that are another number are refused too.
 */
const personalNumber = /(?:\p{Nd}[^\p{L}\p{Nd}]*){10}/u

/** Characters that are seen as nothing, some of them letters. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/**
 * What an owner calls somebody whose name is not known yet. A personal number is refused: it is not stored anywhere.
 *
 * @returns null where there is none
 * @throws 400 `invalid_argument` with field `label`
 */
export function checkLabel(label: string | undefined): string | null {
  if (label === undefined) return null
  const checked = checkDisplayText(label, 'label')
  // In their plain form: ① is a digit, and some invisible letters are not marked as such in another.
  const plain = checked.normalize('NFKC').replaceAll(invisible, '')
  if (personalNumber.test(plain)) {
    throw invalidArgument('It may not contain a personal number, or ten digits that could be one.', 'label')
  }
  return checked
}
