/** Client id and secret of an `Authorization: Basic` header (RFC 6749, 2.3.1; [oauth.basic-auth]). */

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

const pattern = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i

/** Form-decoded; unchanged where it cannot be decoded: many clients do not encode. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Undefined where the header is of another scheme or holds no id and secret. */
export function readClientCredentials(authorization: string): ClientCredentials | undefined {
  const encoded = pattern.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return { clientId: formDecode(text.slice(0, colon)), clientSecret: formDecode(text.slice(colon + 1)) }
}
