import { createHash, randomBytes, sign } from 'node:crypto'
import type { Bank } from './authority.ts'
import type { Issued } from './certificate.ts'

/**
 * Writes the XML signature of a completed order as BankID's signature profile has it: enveloping, two references, the
 * signed elements written in canonical form (Canonical XML 1.0) in the first place, so that their digests are those of
 * the text as it stands.
 */

export interface Signing {
  /** `Signing` for a signature, `Identification` for a sign-in. */
  kind: 'auth' | 'sign'
  /** As it was sent: base64. */
  visible?: string | undefined
  format?: string | undefined
  /** As it was sent: base64. */
  nonVisible?: string | undefined
  /** Whose order it is. */
  relyingParty: Issued
  /** The certificate of who signs. */
  signer: Issued
  bank: Pick<Bank, 'bank' | 'customers'>
  /** The phone's identifier, in base64. */
  uhi: string
  /** What the relying party asked of the person's certificate. */
  policies?: readonly string[] | undefined
}

/** What is wrong with the XML document itself, for tests of who verifies it. */
export interface SignatureFaults {
  /** One bit of the signature's value is another one. */
  isValueChanged?: boolean
  /** In place of the signer's certificate, after signing. */
  certificateAfterwards?: Issued
  /** In place of the visible text, after signing: base64. */
  visibleAfterwards?: string
  /** A second signed element of the same identifier before the one that is signed, with this text: base64. */
  wrapped?: string
  hasDoctype?: boolean
}

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const bankIdNamespace = 'http://www.bankid.com/signature/v1.0.0/types'
const canonical = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const sha256Method = 'http://www.w3.org/2001/04/xmlenc#sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function escapeValue(value: string): string {
  return value.replaceAll(/["+,;<>\\]/g, (sign) => `\\${sign}`)
}

/** A subject as RFC 4514 writes it: the last part first, and the types in lower case but for the country, as BankID has it. */
function subjectText({ name }: Issued): string {
  const written = { CN: 'cn', O: 'o', OU: 'ou', SN: 'sn', GN: 'givenName' } as const
  return name
    .map(
      ([type, value]) =>
        `${type in written ? written[type as keyof typeof written] : type}=${escapeValue(value)}`,
    )
    .toReversed()
    .join(',')
}

function displayName({ name }: Issued): string {
  return name.find(([type]) => type === 'name')?.[1] ?? ''
}

function signedData(signing: Signing): string {
  const { kind, visible, format, nonVisible, relyingParty, uhi, policies = [] } = signing
  const formatAttribute = format === undefined || format === 'plaintext' ? '' : ` format="${format}"`
  const version = `Personal=7.50.0&BISP=7.50.0&platform=android&os_version=15&uhi=${uhi}&`
  const conditions = policies.map(
    (policy) => `<condition><type>CertificatePolicies</type><value>${policy}</value></condition>`,
  )
  return [
    `<bankIdSignedData xmlns="${bankIdNamespace}" Id="bidSignedData">`,
    visible === undefined
      ? ''
      : `<usrVisibleData charset="UTF-8"${formatAttribute} visible="wysiwys">${visible}</usrVisibleData>`,
    nonVisible === undefined ? '' : `<usrNonVisibleData>${nonVisible}</usrNonVisibleData>`,
    `<srvInfo><name>${base64(subjectText(relyingParty))}</name>`,
    `<nonce>${randomBytes(20).toString('base64')}</nonce>`,
    `<displayName>${base64(displayName(relyingParty))}</displayName></srvInfo>`,
    `<clientInfo><funcId>${kind === 'sign' ? 'Signing' : 'Identification'}</funcId>`,
    `<version>${base64(version)}</version>`,
    `<env><ai><type>${base64('ANDROID')}</type><deviceInfo>${base64('15')}</deviceInfo><uhi>${uhi}</uhi>`,
    `<fsib>0</fsib><utb>cs1</utb><requirement>${conditions.join('')}</requirement><uauth>pw</uauth></ai></env>`,
    '</clientInfo></bankIdSignedData>',
  ].join('')
}

function keyInfo(...chain: readonly Issued[]): string {
  const certificates = chain.map(
    ({ certificate }) => `<X509Certificate>${certificate.raw.toString('base64')}</X509Certificate>`,
  )
  return `<KeyInfo xmlns="${signatureNamespace}" Id="bidKeyInfo"><X509Data>${certificates.join('')}</X509Data></KeyInfo>`
}

function reference(attributes: string, element: string): string {
  const digest = createHash('sha256').update(element).digest('base64')
  return (
    `<Reference ${attributes}><Transforms><Transform Algorithm="${canonical}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${sha256Method}"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`
  )
}

function changedBit(value: Buffer): Buffer {
  const changed = Buffer.from(value)
  changed[changed.length - 1]! ^= 1
  return changed
}

/** @returns the signature as an order's completion data has it: base64 of the document */
export function makeSignature(signing: Signing, faults: SignatureFaults = {}): string {
  const { signer, bank } = signing
  const data = signedData(signing)
  const keys = keyInfo(signer, bank.customers, bank.bank)
  const signedInfo = [
    `<SignedInfo xmlns="${signatureNamespace}">`,
    `<CanonicalizationMethod Algorithm="${canonical}"></CanonicalizationMethod>`,
    `<SignatureMethod Algorithm="${rsaSha256}"></SignatureMethod>`,
    reference(`Type="${bankIdNamespace}" URI="#bidSignedData"`, data),
    reference('URI="#bidKeyInfo"', keys),
    '</SignedInfo>',
  ].join('')
  const value = sign('sha256', Buffer.from(signedInfo), signer.keys.privateKey)
  const { isValueChanged = false, certificateAfterwards, visibleAfterwards, wrapped, hasDoctype } = faults
  const document = [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    hasDoctype === true ? '<!DOCTYPE Signature [<!ENTITY who "somebody">]>' : '',
    `<Signature xmlns="${signatureNamespace}">`,
    signedInfo,
    `<SignatureValue>${(isValueChanged ? changedBit(value) : value).toString('base64')}</SignatureValue>`,
    certificateAfterwards === undefined ? keys : keyInfo(certificateAfterwards, bank.customers, bank.bank),
    '<Object>',
    wrapped === undefined ? '' : signedData({ ...signing, visible: wrapped }),
    visibleAfterwards === undefined
      ? data
      : data.replace(/(<usrVisibleData[^>]*>)[^<]*/, `$1${visibleAfterwards}`),
    '</Object></Signature>',
  ]
  return base64(document.join(''))
}
