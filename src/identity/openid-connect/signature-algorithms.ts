/** What tokens of the provider may be signed with: a key pair of its own, never a secret, never nothing (RFC 7518, 3.1). */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
