import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type CertificateRequest,
  issueCertificate,
  type Issued,
  type Keys,
  type Name,
} from './certificate.ts'
import { type Person, splitName } from './person.ts'
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CertificatePolicyExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
} from './x509.ts'

/** The certificates of a bank that issues BankIDs. */
export interface Bank {
  /** Issued by the root. */
  bank: Issued
  /** Issued by the bank, and issues to people. */
  customers: Issued
  /** Signs OCSP responses; issued by `customers`. */
  responder: Issued
}

/** A person has one certificate for each purpose. */
export type Purpose = 'identification' | 'signing'

const dayMs = 86_400_000
const keyPairs = new Map<string, Promise<Keys>>()

/** The same label gives the same keys within this process, since generating an RSA key takes longer than everything else. */
export function getKeys(type: 'rsa' | 'ec', label: string): Promise<Keys> {
  return once<Keys>(keyPairs, `${type} ${label}`, () =>
    type === 'rsa'
      ? promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      : promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }),
  )
}

const country = ['C', 'SE'] as const
const owner = ['O', 'Numera BankID stand-in'] as const

/** A bank's name in the style of BankID's test banks. */
function toBankName(letter: string, commonName: string): Name {
  return [
    country,
    ['O', `Testbank ${letter} AB (publ)`],
    ['serialNumber', '111111111111'],
    ['CN', commonName],
  ]
}

const digitalSignature = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)
const nonRepudiation = new KeyUsagesExtension(KeyUsageFlags.nonRepudiation, true)

/** Of a certificate that issues others. */
export const authorityExtensions: readonly Extension[] = [
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  new BasicConstraintsExtension(true, undefined, true),
]

/** Of a TLS server on loopback. */
export const serverExtensions: readonly Extension[] = [
  digitalSignature,
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
  new SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ]),
]

const responderExtensions: readonly Extension[] = [
  nonRepudiation,
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.ocspSigning], true),
  // A responder's own status is not checked (RFC 6960 section 4.2.2.2.1).
  new Extension('1.3.6.1.5.5.7.48.1.5', false, Buffer.of(0x05, 0x00)),
]

export interface RelyingPartyOptions {
  /** The name that the person's app shows. */
  name?: string
  /** A month ago by default. */
  notBefore?: Date
  /** In a year by default. */
  notAfter?: Date
  /** Issued under another root, which the stand-in does not trust. */
  isStranger?: boolean
}

type Validity = Pick<CertificateRequest, 'notBefore' | 'notAfter'>

/** @param fromDays and `toDays`: counted from `atMs`, negative in the past */
function toValidity(atMs: number, fromDays: number, toDays: number): Validity {
  return { notBefore: new Date(atMs + fromDays * dayMs), notAfter: new Date(atMs + toDays * dayMs) }
}

/** TLS checks certificates against the machine's clock, which the stand-in's may differ from. */
function validForConnections(fromDays: number, toDays: number): Validity {
  return toValidity(Date.now(), fromDays, toDays)
}

/** The value under the key, created the first time. */
function once<T>(values: Map<string, Promise<T>>, key: string, create: () => Promise<T>): Promise<T> {
  const value = values.get(key) ?? create()
  values.set(key, value)
  return value
}

/**
 * Issues the certificates of banks, people and relying parties. As at BankID there are two hierarchies: one for
 * connections, here with keys of an elliptic curve, and one for signatures, with RSA keys as in BankID's profile.
 */
export class Authority {
  readonly #now: () => number
  readonly #issued = new Map<string, Promise<Issued>>()
  readonly #banks = new Map<string, Promise<Bank>>()

  /** @param now milliseconds since 1970: people's certificates are valid around it */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  #valid(fromDays: number, toDays: number): Validity {
    return toValidity(this.#now(), fromDays, toDays)
  }

  #connectionRoot(label: string, name: Name): Promise<Issued> {
    return once(this.#issued, `root ${label}`, async () =>
      issueCertificate({
        name,
        keys: await getKeys('ec', label),
        ...validForConnections(-3650, 3650),
        extensions: authorityExtensions,
      }),
    )
  }

  /** The root of all signatures and OCSP responses. A stranger's has the same name. */
  signingRoot(isStranger = false): Promise<Issued> {
    const label = isStranger ? 'stranger' : 'signing'
    return once(this.#issued, `root ${label}`, async () =>
      issueCertificate({
        name: [owner, ['OU', 'BankID Member Banks CA'], ['CN', 'Stand-in BankID Root CA v1']],
        keys: await getKeys('rsa', label),
        ...this.#valid(-3650, 3650),
        hash: 'SHA-512',
        extensions: authorityExtensions,
      }),
    )
  }

  /** Issues the server's certificate. */
  connectionRoot(): Promise<Issued> {
    return this.#connectionRoot('connections', [
      owner,
      ['OU', 'Infrastructure CA'],
      ['CN', 'Stand-in BankID SSL Root CA v1'],
    ])
  }

  /** Issues the certificates of relying parties. */
  relyingPartyIssuer(isStranger = false): Promise<Issued> {
    const label = isStranger ? 'stranger relying parties' : 'relying parties'
    return this.#connectionRoot(label, toBankName('A', 'Testbank A RP CA v1 for BankID stand-in'))
  }

  async relyingParty(options: RelyingPartyOptions = {}): Promise<Issued> {
    const { name = 'Numera', isStranger = false, ...validity } = options
    return issueCertificate({
      name: [country, owner, ['serialNumber', '5566304928'], ['name', name], ['CN', `RP of ${name}`]],
      keys: await getKeys('ec', `relying party ${name}`),
      issuer: await this.relyingPartyIssuer(isStranger),
      ...validForConnections(-30, 365),
      ...validity,
      extensions: [digitalSignature, new CertificatePolicyExtension(['1.2.3.4.5'])],
    })
  }

  /** The stand-in's own, as a server on this machine. */
  async server(): Promise<Issued> {
    return issueCertificate({
      name: [owner, ['CN', 'localhost']],
      keys: await getKeys('ec', 'server'),
      issuer: await this.connectionRoot(),
      ...validForConnections(-30, 365),
      extensions: serverExtensions,
    })
  }

  /** @param letter `A`, `B` …; a stranger's bank has the same names under another root */
  bank(letter = 'A', isStranger = false): Promise<Bank> {
    const label = `${isStranger ? 'stranger ' : ''}bank ${letter}`
    return once(this.#banks, label, () => this.#createBank(letter, label, isStranger))
  }

  async #createBank(letter: string, label: string, isStranger: boolean): Promise<Bank> {
    const authority = {
      ...this.#valid(-1000, 3000),
      hash: 'SHA-512',
      extensions: authorityExtensions,
    } as const
    const [root, bankKeys, customerKeys, responderKeys] = await Promise.all([
      this.signingRoot(isStranger),
      getKeys('rsa', label),
      getKeys('rsa', `customers of ${label}`),
      getKeys('rsa', `responder of ${label}`),
    ])
    const bank = await issueCertificate({
      name: toBankName(letter, `Testbank ${letter} CA v1 for BankID stand-in`),
      keys: bankKeys,
      issuer: root,
      ...authority,
    })
    const customersName = `Testbank ${letter} Customer CA3 v1 for BankID stand-in`
    const customers = await issueCertificate({
      name: toBankName(letter, customersName),
      keys: customerKeys,
      issuer: bank,
      ...authority,
    })
    const responder = await issueCertificate({
      name: toBankName(letter, `${customersName} OCSP Signing`),
      keys: responderKeys,
      issuer: customers,
      ...this.#valid(-30, 150),
      extensions: responderExtensions,
    })
    return { bank, customers, responder }
  }

  /** Generates the keys that the first signature needs. */
  async prepare(): Promise<void> {
    await Promise.all([this.bank(), getKeys('rsa', 'people')])
  }

  /**
   * A person's certificate, the same each time. All people share one key, to save the time of generating more.
   *
   * @param of.isExpired it ended yesterday
   */
  person(
    person: Person,
    purpose: Purpose,
    of: { bank?: Bank; letter?: string; isExpired?: boolean } = {},
  ): Promise<Issued> {
    const { isExpired = false, letter = 'A' } = of
    const { personalNumber, name } = person
    const issue = async (): Promise<Issued> => {
      const bank = of.bank ?? (await this.bank(letter))
      const { givenName, surname } = splitName(person)
      return issueCertificate({
        name: [
          country,
          ['O', `Testbank ${letter} AB (publ)`],
          ['SN', surname],
          ['GN', givenName],
          ['serialNumber', personalNumber],
          ['name', `(260101 08.00) ${name} - Mobilt BankID`],
          ['CN', name],
        ],
        keys: await getKeys('rsa', 'people'),
        issuer: bank.customers,
        ...(isExpired ? this.#valid(-366, -1) : this.#valid(-30, 335)),
        extensions: [
          purpose === 'signing' ? nonRepudiation : digitalSignature,
          new CertificatePolicyExtension([mobilePolicy]),
          new AuthorityInfoAccessExtension({ ocsp: ['http://revocationstatus.invalid'] }),
        ],
      })
    }
    if (of.bank !== undefined) return issue()
    return once(this.#issued, [personalNumber, name, purpose, letter, isExpired].join('|'), issue)
  }
}

/** The policy of a BankID on a phone, in BankID's test environment. */
export const mobilePolicy = '1.2.3.4.25'
