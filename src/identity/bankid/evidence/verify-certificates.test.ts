import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { keysOf } from '../../../../stand-ins/bankid/authority.ts'
import { encodeName, keyIdentifier, signDer, type Keys } from '../../../../stand-ins/bankid/certificate.ts'
import {
  bitString,
  boolean,
  certificateTime,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
} from '../../../../stand-ins/bankid/der.ts'
import { NotVerified, type NotVerifiedReason } from './not-verified.ts'
import { rsaBitsMin, verifyChain } from './verify-certificates.ts'

const from = new Date('2026-01-01T00:00:00Z')
const to = new Date('2026-12-31T23:59:59Z')
const at = new Date('2026-06-01T12:00:00Z')

let rootKeys: Keys
let bankKeys: Keys
let personKeys: Keys
beforeAll(async () => {
  rootKeys = await keysOf('rsa', 'signing')
  bankKeys = await keysOf('rsa', 'bank A')
  personKeys = await keysOf('rsa', 'people')
})

interface Described {
  name: string
  keys: Keys
  issuer?: { name: string; keys: Keys }
  /** Bits of the key usage; none: no such extension. */
  usage?: number | undefined
  /** Undefined: no authority's. */
  authoritiesBelow?: number | 'any' | undefined
  further?: Buffer[]
  hash?: 'sha256' | 'sha512'
  notAfter?: Date
}

const extension = (oid: string, value: Uint8Array, isCritical = true): Buffer =>
  sequence(objectIdentifier(oid), isCritical ? boolean(true) : Buffer.alloc(0), octetString(value))

const issue = (described: Described): X509Certificate => {
  const { name, keys, issuer = described, usage, authoritiesBelow, further = [], notAfter = to } = described
  const constraints =
    authoritiesBelow === undefined
      ? []
      : [
          extension(
            '2.5.29.19',
            sequence(boolean(true), authoritiesBelow === 'any' ? Buffer.alloc(0) : integer(authoritiesBelow)),
          ),
        ]
  const extensions = [
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier(issuer.keys.publicKey))), false),
    extension('2.5.29.14', octetString(keyIdentifier(keys.publicKey)), false),
    ...(usage === undefined ? [] : [extension('2.5.29.15', bitString(Buffer.of(usage)))]),
    ...constraints,
    ...further,
  ]
  const { algorithm } = signDer(issuer.keys.privateKey, described.hash ?? 'sha256', Buffer.alloc(0))
  const content = sequence(
    explicit(0, integer(2)),
    integer(7),
    algorithm,
    encodeName([['CN', issuer.name]]),
    sequence(certificateTime(from), certificateTime(notAfter)),
    encodeName([['CN', name]]),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  )
  const { bits } = signDer(issuer.keys.privateKey, described.hash ?? 'sha256', content)
  return new X509Certificate(sequence(content, algorithm, bits))
}

const certSign = 0x04
const digitalSignature = 0x80

const rootOf = (of: Partial<Described> = {}) =>
  issue({ name: 'Root', keys: rootKeys, usage: certSign, authoritiesBelow: 'any', hash: 'sha512', ...of })
const bankOf = (of: Partial<Described> = {}) =>
  issue({
    name: 'Bank',
    keys: bankKeys,
    issuer: { name: 'Root', keys: rootKeys },
    usage: certSign,
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

const reasonOf = (
  chain: X509Certificate[],
  roots: X509Certificate[] = [rootOf()],
  when = at,
): NotVerifiedReason | 'holds' => {
  try {
    verifyChain(chain, roots, when)
    return 'holds'
  } catch (error) {
    if (error instanceof NotVerified) return error.reason
    throw error
  }
}

test('a chain holds from the first second of its certificates to the last', () => {
  const chain = [personOf(), bankOf()]
  expect(reasonOf(chain)).toBe('holds')
  expect(reasonOf(chain, undefined, from)).toBe('holds')
  expect(reasonOf(chain, undefined, to)).toBe('holds')
  expect(reasonOf(chain, undefined, new Date(from.getTime() - 1_000))).toBe('expired_certificate')
  expect(reasonOf(chain, undefined, new Date(to.getTime() + 1_000))).toBe('expired_certificate')
})

test('each certificate above must be valid then too, and so must the root', () => {
  const ended = { notAfter: new Date(at.getTime() - 1_000) }
  expect(reasonOf([personOf(), bankOf(ended)])).toBe('expired_certificate')
  expect(reasonOf([personOf(), bankOf()], [rootOf(ended)])).toBe('expired_certificate')
})

test('a key for either signing in or signing may sign, any other not', () => {
  expect(reasonOf([personOf({ usage: 0x40 }), bankOf()])).toBe('holds')
  for (const usage of [undefined, 0, 0x20, certSign]) {
    expect(reasonOf([personOf({ usage }), bankOf()])).toBe('untrusted_certificate')
  }
  expect(reasonOf([personOf({ authoritiesBelow: 'any' }), bankOf()])).toBe('untrusted_certificate')
})

test('who issues must be an authority that may sign certificates', () => {
  expect(reasonOf([personOf(), bankOf({ authoritiesBelow: undefined })])).toBe('untrusted_certificate')
  expect(reasonOf([personOf(), bankOf({ usage: digitalSignature })])).toBe('untrusted_certificate')
  expect(reasonOf([personOf(), bankOf({ usage: undefined })])).toBe('untrusted_certificate')
  expect(reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: undefined })])).toBe(
    'untrusted_certificate',
  )
})

test('an authority has no more below it than it may', () => {
  expect(reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: 1 })])).toBe('holds')
  expect(reasonOf([personOf(), bankOf()], [rootOf({ authoritiesBelow: 0 })])).toBe('untrusted_certificate')
})

test('a certificate may not stand above itself, be in another order, or be one too many', () => {
  const [person, bank, root] = [personOf(), bankOf(), rootOf()]
  expect(reasonOf([person])).toBe('untrusted_certificate')
  expect(reasonOf([bank, person])).toBe('untrusted_certificate')
  expect(reasonOf([person, bank, bank])).toBe('untrusted_certificate')
  expect(reasonOf([person, person, bank])).toBe('untrusted_certificate')
  expect(reasonOf([])).toBe('untrusted_certificate')
  expect(reasonOf([person], [bank])).toBe('holds')
  expect(reasonOf([person, bank], [root, bankOf()])).toBe('holds')
})

test('a name alone does not make an issuer: the signature must be of its key', () => {
  const other = { name: 'Root', keys: personKeys }
  expect(reasonOf([personOf(), bankOf({ issuer: other })])).toBe('untrusted_certificate')
  expect(reasonOf([personOf({ issuer: { name: 'Bank', keys: rootKeys } }), bankOf()])).toBe(
    'untrusted_certificate',
  )
})

test('nor does a key alone: the name must be the issuer’s', () => {
  const other = { name: 'Another bank', keys: bankKeys }
  expect(reasonOf([personOf({ issuer: other }), bankOf()])).toBe('untrusted_certificate')
})

/** Names that an authority may give, which nothing here checks. */
const nameConstraints = extension(
  '2.5.29.30',
  sequence(explicit(0, sequence(implicit(2, Buffer.from('example.se'))))),
)
const unknown = (isCritical: boolean): Buffer =>
  extension('1.2.752.99', octetString(Buffer.of(1)), isCritical)

test('what is critical and not understood makes a certificate untrusted', () => {
  expect(reasonOf([personOf(), bankOf({ further: [nameConstraints] })])).toBe('untrusted_certificate')
  expect(reasonOf([personOf({ further: [unknown(true)] }), bankOf()])).toBe('untrusted_certificate')
  expect(reasonOf([personOf({ further: [unknown(false)] }), bankOf()])).toBe('holds')
})

test('a short key is not trusted, whoever issued its certificate', () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: rsaBitsMin - 8 })
  expect(reasonOf([personOf({ keys }), bankOf()])).toBe('untrusted_certificate')
})
