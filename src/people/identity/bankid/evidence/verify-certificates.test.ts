import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { getKeys } from '../../../../../stand-ins/bankid/authority.ts'
import {
  type CertificateRequest,
  issueCertificate,
  type Keys,
} from '../../../../../stand-ins/bankid/certificate.ts'
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '../../../../../stand-ins/bankid/x509.ts'
import { NotVerified, type NotVerifiedReason } from './not-verified.ts'
import { rsaBitsMin, verifyChain } from './verify-certificates.ts'

const from = new Date('2026-01-01T00:00:00Z')
const to = new Date('2026-12-31T23:59:59Z')
const at = new Date('2026-06-01T12:00:00Z')

let rootKeys: Keys
let bankKeys: Keys
let personKeys: Keys
beforeAll(async () => {
  rootKeys = await getKeys('rsa', 'signing')
  bankKeys = await getKeys('rsa', 'bank A')
  personKeys = await getKeys('rsa', 'people')
})

interface Described {
  name: string
  keys: Keys
  issuer?: { name: string; keys: Keys }
  /** Undefined: no such extension. */
  usage?: KeyUsageFlags | undefined
  /** Undefined: no authority's. */
  authoritiesBelow?: number | 'any' | undefined
  further?: Extension[]
  hash?: CertificateRequest['hash']
  notAfter?: Date
}

const issue = async (described: Described): Promise<X509Certificate> => {
  const { name, keys, issuer = described, usage, authoritiesBelow, further = [], notAfter = to } = described
  const below = authoritiesBelow === 'any' ? undefined : authoritiesBelow
  const { certificate } = await issueCertificate({
    name: [['CN', name]],
    keys,
    issuer: { name: [['CN', issuer.name]], keys: issuer.keys },
    notBefore: from,
    notAfter,
    hash: described.hash ?? 'SHA-256',
    extensions: [
      ...(usage === undefined ? [] : [new KeyUsagesExtension(usage, true)]),
      ...(authoritiesBelow === undefined ? [] : [new BasicConstraintsExtension(true, below, true)]),
      ...further,
    ],
  })
  return certificate
}

const { digitalSignature, nonRepudiation, keyEncipherment, keyCertSign } = KeyUsageFlags

const rootOf = (of: Partial<Described> = {}) =>
  issue({ name: 'Root', keys: rootKeys, usage: keyCertSign, authoritiesBelow: 'any', hash: 'SHA-512', ...of })
const bankOf = (of: Partial<Described> = {}) =>
  issue({
    name: 'Bank',
    keys: bankKeys,
    issuer: { name: 'Root', keys: rootKeys },
    usage: keyCertSign,
    authoritiesBelow: 0,
    ...of,
  })
const personOf = (of: Partial<Described> = {}) =>
  issue({
    name: 'Person',
    keys: personKeys,
    issuer: { name: 'Bank', keys: bankKeys },
    usage: digitalSignature,
    ...of,
  })

const reasonOf = async (
  chain: Promise<X509Certificate>[],
  roots: Promise<X509Certificate>[] = [rootOf()],
  when = at,
): Promise<NotVerifiedReason | 'holds'> => {
  try {
    verifyChain(await Promise.all(chain), await Promise.all(roots), when)
    return 'holds'
  } catch (error) {
    if (error instanceof NotVerified) return error.reason
    throw error
  }
}

test('a chain holds from the first second of its certificates to the last', async () => {
  const chain = [personOf(), bankOf()]
  expect(await reasonOf(chain)).toBe('holds')
  expect(await reasonOf(chain, undefined, from)).toBe('holds')
  expect(await reasonOf(chain, undefined, to)).toBe('holds')
  expect(await reasonOf(chain, undefined, new Date(from.getTime() - 1_000))).toBe('expired_certificate')
  expect(await reasonOf(chain, undefined, new Date(to.getTime() + 1_000))).toBe('expired_certificate')
})

test('each certificate above must be valid then too, and so must the root', async () => {
  const ended = { notAfter: new Date(at.getTime() - 1_000) }
  expect(await reasonOf([personOf(), bankOf(ended)])).toBe('expired_certificate')
  expect(await reasonOf([personOf(), bankOf()], [rootOf(ended)])).toBe('expired_certificate')
})

test('a key for either signing in or signing may sign, any other not', async () => {
  expect(await reasonOf([personOf({ usage: nonRepudiation }), bankOf()])).toBe('holds')
  for (const usage of [undefined, 0 as KeyUsageFlags, keyEncipherment, keyCertSign]) {
    expect(await reasonOf([personOf({ usage }), bankOf()])).toBe('untrusted_certificate')
  }
  expect(await reasonOf([personOf({ authoritiesBelow: 'any' }), bankOf()])).toBe('untrusted_certificate')
})

test('who issues must be an authority that may sign certificates', async () => {
  expect(await reasonOf([personOf(), bankOf({ authoritiesBelow: undefined })])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf(), bankOf({ usage: digitalSignature })])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf(), bankOf({ usage: undefined })])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: undefined })])).toBe(
    'untrusted_certificate',
  )
})

test('an authority has no more below it than it may', async () => {
  expect(await reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: 1 })])).toBe('holds')
  expect(await reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: 0 })])).toBe(
    'untrusted_certificate',
  )
})

test('a certificate may not stand above itself, be in another order, or be one too many', async () => {
  const [person, bank, root] = [personOf(), bankOf(), rootOf()]
  expect(await reasonOf([person])).toBe('untrusted_certificate')
  expect(await reasonOf([bank, person])).toBe('untrusted_certificate')
  expect(await reasonOf([person, bank, bank])).toBe('untrusted_certificate')
  expect(await reasonOf([person, person, bank])).toBe('untrusted_certificate')
  expect(await reasonOf([])).toBe('untrusted_certificate')
  expect(await reasonOf([person], [bank])).toBe('holds')
  expect(await reasonOf([person, bank], [root, bankOf()])).toBe('holds')
})

test('a name alone does not make an issuer: the signature must be of its key', async () => {
  const other = { name: 'Root', keys: personKeys }
  expect(await reasonOf([personOf(), bankOf({ issuer: other })])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf({ issuer: { name: 'Bank', keys: rootKeys } }), bankOf()])).toBe(
    'untrusted_certificate',
  )
})

test('nor does a key alone: the name must be the issuer’s', async () => {
  const other = { name: 'Another bank', keys: bankKeys }
  expect(await reasonOf([personOf({ issuer: other }), bankOf()])).toBe('untrusted_certificate')
})

/** Which names an authority may issue for: `example.se` and below (RFC 5280 section 4.2.1.10). */
const nameConstraints = new Extension(
  '2.5.29.30',
  true,
  Buffer.concat([Buffer.from('3010a00e300c820a', 'hex'), Buffer.from('example.se')]),
)
const unknown = (isCritical: boolean): Extension =>
  new Extension('1.2.752.99', isCritical, Buffer.of(0x04, 1, 1))

test('what is critical and not understood makes a certificate untrusted', async () => {
  expect(await reasonOf([personOf(), bankOf({ further: [nameConstraints] })])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf({ further: [unknown(true)] }), bankOf()])).toBe('untrusted_certificate')
  expect(await reasonOf([personOf({ further: [unknown(false)] }), bankOf()])).toBe('holds')
})

test('a short key is not trusted, regardless of the issuer', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: rsaBitsMin - 8 })
  expect(await reasonOf([personOf({ keys }), bankOf()])).toBe('untrusted_certificate')
})
