/** Forms in which a text is kept, the smallest first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number] | 'identity'

/**
 * The smallest form that an `Accept-Encoding` header takes (RFC 9110, section 12.5.3): weights say only what is refused. A
 * header that refuses everything gets the text as it is.
 */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)] as const
    }),
  )
  return encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) ?? 'identity'
}
