import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicJwk: JWK
  privateJwk: JWK
}

/** How a token is signed other than it should be. */
export interface SignatureFault {
  /** `none` for no signature; `stranger` for a key that is nobody's under the name of the right one. */
  signature?: 'none' | 'secret' | 'stranger' | 'spoiled'
  typ?: string
}

async function makeKey(kid: string = randomUUID()): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const named = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), ...named },
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
  }
}

/** The keys of the provider, of which the newest signs. */
export class SigningKeys {
  #keys: SigningKey[]
  #stranger: SigningKey | undefined

  private constructor(first: SigningKey) {
    this.#keys = [first]
  }

  static async make(): Promise<SigningKeys> {
    return new SigningKeys(await makeKey())
  }

  get publicJwks(): { keys: JWK[] } {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) }
  }

  get privateJwks(): { keys: JWK[] } {
    return { keys: this.#keys.map(({ privateJwk }) => privateJwk) }
  }

  /** A new key signs from now on; the ones before are gone. */
  async rotate(): Promise<void> {
    this.#keys = [await makeKey()]
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
    if (signature === 'stranger') this.#stranger ??= await makeKey(kid)
    const key = signature === 'stranger' ? this.#stranger!.privateKey : privateKey
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(key)
    if (signature !== 'spoiled') return token
    const [header, payload, bytes = ''] = token.split('.')
    return `${header}.${payload}.${bytes.startsWith('A') ? 'B' : 'A'}${bytes.slice(1)}`
  }
}
