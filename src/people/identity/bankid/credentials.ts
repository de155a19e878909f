import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import {
  checkServerIdentity,
  createSecureContext,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls'
import { ConfigError } from '../../../platform/config/config-error.ts'
import type { BankIdSettings, SecretSettings } from '../../../platform/config/config.ts'

/** What this service authenticates with at BankID, and what it trusts. */
export interface BankIdCredentials {
  /** Certificate and key, and the issuer of the server's certificate. */
  secureContext: SecureContext
  /** Checks the server beyond what the context does: an error if it is another, or of another issuer. */
  checkServer: (host: string, shown: PeerCertificate) => Error | undefined
  /** The certificate's, stored with orders: BankID knows an order by the certificate that began it. */
  fingerprint: string
  /** The certificate's validity, in milliseconds since 1970. */
  notBeforeMs: number
  notAfterMs: number
  /** Roots of people's signatures. */
  roots: readonly X509Certificate[]
}

type FileSettings = Omit<BankIdSettings, 'url'>

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

function refuse(name: string, why: string): never {
  throw new ConfigError([`${name} ${why}`])
}

function readFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    return refuse(name, `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`)
  }
}

/**
 * @param name of the variable or option that names the file
 * @throws ConfigError if it has none
 */
export function readCertificates(name: string, path: string): X509Certificate[] {
  const blocks = readFile(name, path).toString('latin1').match(pemBlock)
  try {
    if (blocks) return blocks.map((pem) => new X509Certificate(pem))
  } catch {
    // Refused below.
  }
  return refuse(name, 'must have certificates as PEM')
}

function openPem(certificate: Buffer, settings: FileSettings, passphrase: string | undefined) {
  const { keyFile } = settings
  if (keyFile === undefined) {
    refuse('NUMERA_BANKID_KEY_FILE', 'must be set where the certificate is PEM')
  }
  const [first] = readCertificates('NUMERA_BANKID_CERTIFICATE_FILE', settings.certificateFile)
  const pem = readFile('NUMERA_BANKID_KEY_FILE', keyFile)
  if (!pem.includes('PRIVATE KEY-----')) refuse('NUMERA_BANKID_KEY_FILE', 'must have a private key as PEM')
  const isEncrypted = pem.includes('ENCRYPTED')
  let key
  try {
    key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) })
  } catch {
    return isEncrypted
      ? refuse('NUMERA_BANKID_PASSPHRASE', 'does not open the key')
      : refuse('NUMERA_BANKID_KEY_FILE', 'must have a private key as PEM')
  }
  if (!first!.checkPrivateKey(key)) {
    refuse('NUMERA_BANKID_KEY_FILE', 'has a key that does not belong to the certificate')
  }
  return { cert: certificate, key: key.export({ format: 'pem', type: 'pkcs8' }) }
}

/** The certificate of a context, as the TLS library has it: also from a PKCS#12 file. */
function getCertificate({ context }: SecureContext): X509Certificate | undefined {
  const der = (context as { getCertificate(): Buffer | null }).getCertificate()
  return der === null ? undefined : new X509Certificate(der)
}

function openPkcs12(pfx: Buffer, ca: string[], passphrase: string | undefined): SecureContext {
  try {
    return createSecureContext({ pfx, ca, ...(passphrase === undefined ? {} : { passphrase }) })
  } catch (error) {
    if (/mac verify/i.test((error as Error).message)) {
      refuse('NUMERA_BANKID_PASSPHRASE', 'does not open the certificate file')
    }
    return refuse(
      'NUMERA_BANKID_CERTIFICATE_FILE',
      'must be PKCS#12 with the key of its certificate, or a certificate as PEM',
    )
  }
}

/** Authorities between a server and its issuer; further up, the issuer is another. */
const serverAuthoritiesMax = 4

/**
 * Whether one of the issuers has issued a server's certificate, or that of an authority above it. With a PKCS#12 file a
 * context also trusts all certificates of the file, which issued ours, not the server's.
 */
function isIssuedByOneOf(issuers: readonly X509Certificate[], shown: DetailedPeerCertificate): boolean {
  for (let at = shown, above = 0; above <= serverAuthoritiesMax; above++) {
    const certificate = new X509Certificate(at.raw)
    const isIssuedBy = (issuer: X509Certificate): boolean =>
      certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
    if (issuers.some(isIssuedBy)) return true
    // A root is its own issuer; if the chain ends early there is none.
    const next = at.issuerCertificate as DetailedPeerCertificate | undefined
    if (next === undefined || next === at) return false
    const authority = new X509Certificate(next.raw)
    if (!authority.ca || !isIssuedBy(authority)) return false
    at = next
  }
  return false
}

/**
 * Reads the files for BankID. The certificate need not be valid now.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function readCredentials(
  settings: FileSettings,
  passphrase: SecretSettings['bankidPassphrase'],
): BankIdCredentials {
  const file = readFile('NUMERA_BANKID_CERTIFICATE_FILE', settings.certificateFile)
  const issuers = readCertificates('NUMERA_BANKID_ISSUER_FILE', settings.issuerFile)
  const ca = issuers.map(String)
  const roots = readCertificates('NUMERA_BANKID_ROOTS_FILE', settings.rootsFile)
  const secureContext = file.includes('-----BEGIN')
    ? createSecureContext({ ...openPem(file, settings, passphrase?.reveal()), ca })
    : openPkcs12(file, ca, passphrase?.reveal())
  const certificate = getCertificate(secureContext)
  if (certificate === undefined) return refuse('NUMERA_BANKID_CERTIFICATE_FILE', 'has no certificate')
  const checkServer: BankIdCredentials['checkServer'] = (host, shown) =>
    checkServerIdentity(host, shown) ??
    (isIssuedByOneOf(issuers, shown as DetailedPeerCertificate)
      ? undefined
      : new Error('The server has a certificate of another issuer.'))
  return {
    secureContext,
    checkServer,
    fingerprint: certificate.fingerprint256,
    notBeforeMs: certificate.validFromDate.getTime(),
    notAfterMs: certificate.validToDate.getTime(),
    roots,
  }
}

/** @throws ConfigError if the certificate has expired, or is not valid yet */
export function requireValidNow({ notBeforeMs, notAfterMs }: BankIdCredentials, nowMs: number): void {
  const when =
    (notAfterMs <= nowMs && `expired at ${new Date(notAfterMs).toISOString()}`) ||
    (notBeforeMs > nowMs && `is valid from ${new Date(notBeforeMs).toISOString()}`)
  if (when) refuse('NUMERA_BANKID_CERTIFICATE_FILE', `has a certificate that ${when}`)
}

/** Changes with the file of a path, or if it cannot be read. */
function getFileStamp(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}:${size}:${mtimeMs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'error'
  }
}

/** Changes with any of the files. Never fails: a running service keeps what it has. */
export function getStamp({ certificateFile, keyFile, issuerFile, rootsFile }: FileSettings): string {
  return [certificateFile, keyFile ?? certificateFile, issuerFile, rootsFile].map(getFileStamp).join()
}
