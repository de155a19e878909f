import { invalidClientMetadata } from '../errors.ts'

/** In code points. */
export const clientNameCharactersMax = 100

/**
 * Control and formatting characters, among them those that reverse the direction of writing, have no width or break the
 * line; and half a surrogate pair, which is not text.
 */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** The Braille pattern without dots is blank too, though its category is symbol. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * `client_name`: what the member reads on the consent page. It is stored as it was sent, since it is no key.
 *
 * @throws `invalid_client_metadata`
 */
export function readClientName(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw invalidClientMetadata(
      'client_name is missing: it is the name of the app that members read, as text.',
    )
  if ([...value].length > clientNameCharactersMax) {
    throw invalidClientMetadata(`client_name may have at most ${clientNameCharactersMax} characters.`)
  }
  if (unshowable.test(value)) {
    throw invalidClientMetadata('client_name may not hold control or formatting characters.')
  }
  if (!visible.test(value)) throw invalidClientMetadata('client_name must show something.')
  return value
}
