/** Whether PostgreSQL can store the text: it has neither NUL nor a lone surrogate [all.text]. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
