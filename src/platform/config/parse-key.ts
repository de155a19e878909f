export const keyFormats = '32 bytes: 64 hexadecimal digits, or 43 characters of base64url'

const keyPattern = /^(?:[\da-f]{64}|[A-Za-z\d_-]{43})$/i

/** The 32 bytes of a key's text; undefined where it is none. */
export function parseKey(text: string): Buffer | undefined {
  return keyPattern.test(text) ? Buffer.from(text, text.length === 64 ? 'hex' : 'base64url') : undefined
}
