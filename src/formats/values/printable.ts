/** Characters that steer a terminal, or turn the direction of what follows. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A text that any user may have chosen, made safe for a line on a terminal. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '\u{fffd}')
}
