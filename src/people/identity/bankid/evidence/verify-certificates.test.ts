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

const issueRoot = (of: Partial<Described> = {}) =>
  issue({ name: 'Root', keys: rootKeys, usage: keyCertSign, authoritiesBelow: 'any', hash: 'SHA-512', ...of })
const issueBank = (of: Partial<Described> = {}) =>
  issue({
    name: 'Bank',
    keys: bankKeys,
    issuer: { name: 'Root', keys: rootKeys },
    usage: keyCertSign,
    authoritiesBelow: 0,
    ...of,
  })
const issuePerson = (of: Partial<Described> = {}) =>
  issue({
    name: 'Person',
    keys: personKeys,
    issuer: { name: 'Bank', keys: bankKeys },
    usage: digitalSignature,
    ...of,
  })

const getReason = async (
  chain: Promise<X509Certificate>[],
  roots: Promise<X509Certificate>[] = [issueRoot()],
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

test('a chain is valid from the first second of its certificates to the last', async () => {
  const chain = [issuePerson(), issueBank()]
  expect(await getReason(chain)).toBe('holds')
  expect(await getReason(chain, undefined, from)).toBe('holds')
  expect(await getReason(chain, undefined, to)).toBe('holds')
  expect(await getReason(chain, undefined, new Date(from.getTime() - 1_000))).toBe('expired_certificate')
  expect(await getReason(chain, undefined, new Date(to.getTime() + 1_000))).toBe('expired_certificate')
})

test('each issuing certificate must be valid at that time, and so must the root', async () => {
  const ended = { notAfter: new Date(at.getTime() - 1_000) }
  expect(await getReason([issuePerson(), issueBank(ended)])).toBe('expired_certificate')
  expect(await getReason([issuePerson(), issueBank()], [issueRoot(ended)])).toBe('expired_certificate')
})

test('a key for signing in or for signing may sign, and no other key', async () => {
  expect(await getReason([issuePerson({ usage: nonRepudiation }), issueBank()])).toBe('holds')
  for (const usage of [undefined, 0 as KeyUsageFlags, keyEncipherment, keyCertSign]) {
    expect(await getReason([issuePerson({ usage }), issueBank()])).toBe('untrusted_certificate')
  }
  expect(await getReason([issuePerson({ authoritiesBelow: 'any' }), issueBank()])).toBe(
    'untrusted_certificate',
  )
})

test('an issuer must be an authority that may sign certificates', async () => {
  expect(await getReason([issuePerson(), issueBank({ authoritiesBelow: undefined })])).toBe(
    'untrusted_certificate',
  )
  expect(await getReason([issuePerson(), issueBank({ usage: digitalSignature })])).toBe(
    'untrusted_certificate',
  )
  expect(await getReason([issuePerson(), issueBank({ usage: undefined })])).toBe('untrusted_certificate')
  expect(await getReason([issuePerson(), issueBank()], [issueRoot({ authoritiesBelow: undefined })])).toBe(
    'untrusted_certificate',
  )
})

test('an authority may be limited in how many authorities follow it', async () => {
  expect(await getReason([issuePerson(), issueBank()], [issueRoot({ authoritiesBelow: 1 })])).toBe('holds')
  expect(await getReason([issuePerson(), issueBank()], [issueRoot({ authoritiesBelow: 0 })])).toBe(
    'untrusted_certificate',
  )
})

test('a chain must be in order, without repetitions or extra certificates', async () => {
  const [person, bank, root] = [issuePerson(), issueBank(), issueRoot()]
  expect(await getReason([person])).toBe('untrusted_certificate')
  expect(await getReason([bank, person])).toBe('untrusted_certificate')
  expect(await getReason([person, bank, bank])).toBe('untrusted_certificate')
  expect(await getReason([person, person, bank])).toBe('untrusted_certificate')
  expect(await getReason([])).toBe('untrusted_certificate')
  expect(await getReason([person], [bank])).toBe('holds')
  expect(await getReason([person, bank], [root, issueBank()])).toBe('holds')
})

test('the signature must be of the issuer’s key, not only its name', async () => {
  const other = { name: 'Root', keys: personKeys }
  expect(await getReason([issuePerson(), issueBank({ issuer: other })])).toBe('untrusted_certificate')
  expect(await getReason([issuePerson({ issuer: { name: 'Bank', keys: rootKeys } }), issueBank()])).toBe(
    'untrusted_certificate',
  )
})

test('the name must be the issuer’s, not only the key', async () => {
  const other = { name: 'Another bank', keys: bankKeys }
  expect(await getReason([issuePerson({ issuer: other }), issueBank()])).toBe('untrusted_certificate')
})

/** Which names an authority may issue for: `example.se` and below (RFC 5280 section 4.2.1.10). */
const nameConstraints = new Extension(
  '2.5.29.30',
  true,
  Buffer.concat([Buffer.from('3010a00e300c820a', 'hex'), Buffer.from('example.se')]),
)
const unknown = (isCritical: boolean): Extension =>
  new Extension('1.2.752.99', isCritical, Buffer.of(0x04, 1, 1))

test('an unknown critical extension makes a certificate untrusted', async () => {
  expect(await getReason([issuePerson(), issueBank({ further: [nameConstraints] })])).toBe(
    'untrusted_certificate',
  )
  expect(await getReason([issuePerson({ further: [unknown(true)] }), issueBank()])).toBe(
    'untrusted_certificate',
  )
  expect(await getReason([issuePerson({ further: [unknown(false)] }), issueBank()])).toBe('holds')
})

test('a short key is not trusted, regardless of the issuer', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: rsaBitsMin - 8 })
  expect(await getReason([issuePerson({ keys }), issueBank()])).toBe('untrusted_certificate')
})
