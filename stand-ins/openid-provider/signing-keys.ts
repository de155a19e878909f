import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicJwk: JWK
  privateJwk: JWK
}

/** A wrong signature of a token. */
export interface SignatureFault {
  /** `secret`: with HMAC by the client's secret; `stranger`: by another key under the right `kid`. */
  signature?: 'none' | 'secret' | 'stranger' | 'spoiled'
  typ?: string
}

async function createKey(kid: string = randomUUID()): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const named = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), ...named },
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
  }
}

/** The provider's signing key. */
export class SigningKeys {
  #keys: SigningKey[]
  #stranger: SigningKey | undefined

  private constructor(first: SigningKey) {
    this.#keys = [first]
  }

  static async create(): Promise<SigningKeys> {
    return new SigningKeys(await createKey())
  }

  get publicJwks(): { keys: JWK[] } {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) }
  }

  get privateJwks(): { keys: JWK[] } {
    return { keys: this.#keys.map(({ privateJwk }) => privateJwk) }
  }

  /** Replaces the key. */
  async rotate(): Promise<void> {
    this.#keys = [await createKey()]
  }

  async sign(
    claims: JWTPayload,
    { signature, typ = 'JWT' }: SignatureFault,
    secret: string,
  ): Promise<string> {
    const { kid, privateKey } = this.#keys[0]!
    if (signature === 'none') return new UnsecuredJWT(claims).encode()
    if (signature === 'secret') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid, typ }).sign(Buffer.from(secret))
    }
    if (signature === 'stranger') this.#stranger ??= await createKey(kid)
    const key = signature === 'stranger' ? this.#stranger!.privateKey : privateKey
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(key)
    if (signature !== 'spoiled') return token
    const [header, payload, bytes = ''] = token.split('.')
    return `${header}.${payload}.${bytes.startsWith('A') ? 'B' : 'A'}${bytes.slice(1)}`
  }
}
