import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { issueCertificate, type Issued, type Keys, type Name } from './certificate.ts'

/** Somebody with a BankID. */
export interface Person {
  /** Twelve digits. */
  personalNumber: string
  name: string
  /** All words of the name but the last, unless said. */
  givenName?: string
  /** The last word of the name, unless said. */
  surname?: string
}

/** A bank that issues BankIDs: what is under the root, down to what signs for it. */
export interface Bank {
  /** Issued by the root. */
  bank: Issued
  /** Issued by the bank, and issues to people. */
  customers: Issued
  /** Signs what the bank says of a certificate's status; issued by what issues to people. */
  responder: Issued
}

/** What a person's certificate is for: each person has one for either. */
export type Purpose = 'identification' | 'signing'

const dayMs = 86_400_000
const made = new Map<string, Promise<Keys>>()

/** Kept within this process: making an RSA key takes longer than all else. The same label gives the same keys. */
export function keysOf(type: 'rsa' | 'ec', label: string): Promise<Keys> {
  const place = `${type} ${label}`
  let keys = made.get(place)
  if (keys === undefined) {
    keys =
      type === 'rsa'
        ? promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
        : promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
    made.set(place, keys)
  }
  return keys
}

const country = ['C', 'SE'] as const
const owner = ['O', 'Numera BankID stand-in'] as const

/** Who a bank is, as the certificates of BankID's test banks say it. */
function ofBank(letter: string, commonName: string): Name {
  return [
    country,
    ['O', `Testbank ${letter} AB (publ)`],
    ['serialNumber', '111111111111'],
    ['CN', commonName],
  ]
}

export interface RelyingPartyOptions {
  /** The name that the person's app shows. */
  name?: string
  /** When its certificate begins: a month ago unless said. */
  notBefore?: Date
  /** When its certificate ends: in a year unless said. */
  notAfter?: Date
  /** From a root of its own, which the stand-in does not take. */
  isStranger?: boolean
}

/**
 * The banks' certificates, those of the people and of relying parties. Two hierarchies, as at BankID: one for connections,
 * one for signatures. The keys of signatures are RSA, as BankID's profile has them; those of connections are of a curve.
 */
export class Authority {
  readonly #now: () => number
  readonly #issued = new Map<string, Promise<Issued>>()
  readonly #banks = new Map<string, Promise<Bank>>()

  /** @param now milliseconds since 1970: people's certificates are valid around it */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  #days(days: number): Date {
    return new Date(this.#now() + days * dayMs)
  }

  /** What connections are checked against is the machine's clock, whatever the stand-in's says. */
  #realDays(days: number): Date {
    return new Date(Date.now() + days * dayMs)
  }

  #once(place: string, issue: () => Promise<Issued>): Promise<Issued> {
    let issued = this.#issued.get(place)
    if (issued === undefined) {
      issued = issue()
      this.#issued.set(place, issued)
    }
    return issued
  }

  #root(type: 'rsa' | 'ec', label: string, name: Name): Promise<Issued> {
    return this.#once(`root ${label}`, async () =>
      issueCertificate({
        name,
        keys: await keysOf(type, label),
        notBefore: type === 'rsa' ? this.#days(-3650) : this.#realDays(-3650),
        notAfter: type === 'rsa' ? this.#days(3650) : this.#realDays(3650),
        hash: type === 'rsa' ? 'sha512' : 'sha256',
        usage: 'certificates',
        isAuthority: true,
      }),
    )
  }

  /** The root of all signatures, and of what says their certificates' status. A stranger's has the same name. */
  signingRoot(isStranger = false): Promise<Issued> {
    return this.#root('rsa', isStranger ? 'stranger' : 'signing', [
      owner,
      ['OU', 'BankID Member Banks CA'],
      ['CN', 'Stand-in BankID Root CA v1'],
    ])
  }

  /** Who issued the server's certificate. */
  connectionRoot(): Promise<Issued> {
    return this.#root('ec', 'connections', [
      owner,
      ['OU', 'Infrastructure CA'],
      ['CN', 'Stand-in BankID SSL Root CA v1'],
    ])
  }

  /** Who issues certificates of relying parties. */
  relyingPartyIssuer(isStranger = false): Promise<Issued> {
    const label = isStranger ? 'stranger relying parties' : 'relying parties'
    return this.#root('ec', label, ofBank('A', 'Testbank A RP CA v1 for BankID stand-in'))
  }

  async relyingParty(options: RelyingPartyOptions = {}): Promise<Issued> {
    const { name = 'Numera', isStranger = false } = options
    const { notBefore = this.#realDays(-30), notAfter = this.#realDays(365) } = options
    return issueCertificate({
      name: [country, owner, ['serialNumber', '5566304928'], ['name', name], ['CN', `RP of ${name}`]],
      keys: await keysOf('ec', `relying party ${name}`),
      issuer: await this.relyingPartyIssuer(isStranger),
      notBefore,
      notAfter,
      usage: 'digitalSignature',
      policy: '1.2.3.4.5',
    })
  }

  /** Of a server on this machine. */
  async server(): Promise<Issued> {
    return issueCertificate({
      name: [owner, ['CN', 'localhost']],
      keys: await keysOf('ec', 'server'),
      issuer: await this.connectionRoot(),
      notBefore: this.#realDays(-30),
      notAfter: this.#realDays(365),
      usage: 'digitalSignature',
      extended: 'serverAuth',
      hosts: ['localhost', Buffer.from([127, 0, 0, 1])],
    })
  }

  /** @param letter `A`, `B` …; a stranger's bank is like one of these, but under another root */
  bank(letter = 'A', isStranger = false): Promise<Bank> {
    const label = `${isStranger ? 'stranger ' : ''}bank ${letter}`
    let bank = this.#banks.get(label)
    if (bank === undefined) {
      bank = this.#makeBank(letter, label, isStranger)
      this.#banks.set(label, bank)
    }
    return bank
  }

  async #makeBank(letter: string, label: string, isStranger: boolean): Promise<Bank> {
    const authority = {
      notBefore: this.#days(-1000),
      notAfter: this.#days(3000),
      hash: 'sha512',
      usage: 'certificates',
      isAuthority: true,
    } as const
    const [root, own, ofCustomers, ofResponder] = await Promise.all([
      this.signingRoot(isStranger),
      keysOf('rsa', label),
      keysOf('rsa', `customers of ${label}`),
      keysOf('rsa', `responder of ${label}`),
    ])
    const bank = issueCertificate({
      name: ofBank(letter, `Testbank ${letter} CA v1 for BankID stand-in`),
      keys: own,
      issuer: root,
      ...authority,
    })
    const customersName = `Testbank ${letter} Customer CA3 v1 for BankID stand-in`
    const customers = issueCertificate({
      name: ofBank(letter, customersName),
      keys: ofCustomers,
      issuer: bank,
      ...authority,
    })
    const responder = issueCertificate({
      name: ofBank(letter, `${customersName} OCSP Signing`),
      keys: ofResponder,
      issuer: customers,
      notBefore: this.#days(-30),
      notAfter: this.#days(150),
      usage: 'nonRepudiation',
      extended: 'OCSPSigning',
      isNotChecked: true,
    })
    return { bank, customers, responder }
  }

  /** Makes the keys that the first signature needs. */
  async prepare(): Promise<void> {
    await Promise.all([this.bank(), keysOf('rsa', 'people')])
  }

  /**
   * A person's certificate, kept for the next time. All people have the same key: nobody but this process has it anyway.
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
      const { givenName, surname } = namesOf(person)
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
        keys: await keysOf('rsa', 'people'),
        issuer: bank.customers,
        notBefore: this.#days(isExpired ? -366 : -30),
        notAfter: this.#days(isExpired ? -1 : 335),
        usage: purpose === 'signing' ? 'nonRepudiation' : 'digitalSignature',
        policy: mobilePolicy,
        ocspUrl: 'http://revocationstatus.invalid',
      })
    }
    if (of.bank !== undefined) return issue()
    return this.#once([personalNumber, name, purpose, letter, isExpired].join('|'), issue)
  }
}

/** The policy of a BankID on a phone, in BankID's test environment. */
export const mobilePolicy = '1.2.3.4.25'

export function namesOf({ name, givenName, surname }: Person): { givenName: string; surname: string } {
  const words = name.split(' ')
  return {
    givenName: givenName ?? (words.length > 1 ? words.slice(0, -1).join(' ') : name),
    surname: surname ?? words.at(-1)!,
  }
}
