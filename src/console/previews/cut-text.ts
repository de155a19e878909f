/** Characters of a value in the answer of an example or a preview; the rest is cut off. */
const shownValueCharactersMax = 200

/** The beginning of a text, never half a surrogate pair. */
export function cutText(text: string): string {
  if (text.length <= shownValueCharactersMax) return text
  const last = text.charCodeAt(shownValueCharactersMax - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? shownValueCharactersMax - 1 : shownValueCharactersMax)
}
