/** Code points of a text in an answer; what follows is left out. */
const textCharactersMax = 300

/** Control and formatting characters, among them those that turn the direction of writing or have no width; lone surrogates. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function toPlainText(text: string): string {
  // A code point has at most two units: so much is enough, and a long text costs no more than a short one.
  const plain = text.slice(0, 8 * textCharactersMax).replaceAll(unshowable, '')
  const characters = [...plain]
  if (characters.length <= textCharactersMax && text.length <= 8 * textCharactersMax) return plain
  return `${characters.slice(0, textCharactersMax - 1).join('')}…`
}

/**
 * An answer whose texts are short and plain. They were chosen by those who deliver, and are read by a model: only fields of the
 * answer hold them, and nothing in them is hidden from a person who reads the same.
 */
export function withPlainTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return toPlainText(value) as Value
  if (Array.isArray(value)) return value.map(withPlainTexts) as Value
  if (typeof value !== 'object' || value === null) return value
  // An address is made here, and its parts are percent-encoded.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'page' ? each : withPlainTexts(each)]),
  ) as Value
}
