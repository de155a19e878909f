/**
 * A name that somebody else chose, for use inside a sentence: letters that run from right to left stay within it
 * (Unicode UAX 9, first strong isolate).
 */
export const isolate = (name: string): string => `\u2068${name}\u2069`
