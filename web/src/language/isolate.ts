/**
 * Isolates a name that someone else chose, for use inside a sentence: letters that run from right to left do not reorder
 * the words around them (Unicode UAX 9, first strong isolate).
 */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
