import { createHash, randomBytes, sign } from 'node:crypto'
import type { Bank } from './authority.ts'
import type { Issued } from './certificate.ts'

/**
 * Writes the XML signature of a completed order by BankID's signature profile: enveloping, with two references. The
 * signed elements are written in canonical form (Canonical XML 1.0), so their digests are those of the text.
 */

export interface Signing {
  kind: 'auth' | 'sign'
  /** Base64, as in the request. */
  visible?: string | undefined
  format?: string | undefined
  /** Base64, as in the request. */
  nonVisible?: string | undefined
  /** The order's. */
  relyingParty: Issued
  /** The person's certificate. */
  signer: Issued
  bank: Pick<Bank, 'bank' | 'customers'>
  /** The phone's identifier, base64. */
  uhi: string
  /** The certificate policies that the relying party accepts. */
  policies?: readonly string[] | undefined
}

/** Faults of the XML document itself. */
export interface SignatureFaults {
  /** One bit of the signature value is changed. */
  isValueChanged?: boolean
  /** Replaces the signer's certificate after signing. */
  certificateAfterwards?: Issued
  /** Replaces the visible text after signing; base64. */
  visibleAfterwards?: string
  /** The text of another element under the same identifier, before the signed one; base64. */
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

/** A subject by RFC 4514, last part first. As at BankID, all types but the country are in lower case. */
function toSubjectText({ name }: Issued): string {
  const written = { CN: 'cn', O: 'o', OU: 'ou', SN: 'sn', GN: 'givenName' } as const
  return name
    .map(
      ([type, value]) =>
        `${type in written ? written[type as keyof typeof written] : type}=${escapeValue(value)}`,
    )
    .toReversed()
    .join(',')
}

function getDisplayName({ name }: Issued): string {
  return name.find(([type]) => type === 'name')?.[1] ?? ''
}

function writeSignedData(signing: Signing): string {
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
    `<srvInfo><name>${base64(toSubjectText(relyingParty))}</name>`,
    `<nonce>${randomBytes(20).toString('base64')}</nonce>`,
    `<displayName>${base64(getDisplayName(relyingParty))}</displayName></srvInfo>`,
    `<clientInfo><funcId>${kind === 'sign' ? 'Signing' : 'Identification'}</funcId>`,
    `<version>${base64(version)}</version>`,
    `<env><ai><type>${base64('ANDROID')}</type><deviceInfo>${base64('15')}</deviceInfo><uhi>${uhi}</uhi>`,
    `<fsib>0</fsib><utb>cs1</utb><requirement>${conditions.join('')}</requirement><uauth>pw</uauth></ai></env>`,
    '</clientInfo></bankIdSignedData>',
  ].join('')
}

function writeKeyInfo(...chain: readonly Issued[]): string {
  const certificates = chain.map(
    ({ certificate }) => `<X509Certificate>${certificate.raw.toString('base64')}</X509Certificate>`,
  )
  return `<KeyInfo xmlns="${signatureNamespace}" Id="bidKeyInfo"><X509Data>${certificates.join('')}</X509Data></KeyInfo>`
}

function writeReference(attributes: string, element: string): string {
  const digest = createHash('sha256').update(element).digest('base64')
  return (
    `<Reference ${attributes}><Transforms><Transform Algorithm="${canonical}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${sha256Method}"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`
  )
}

function changeBit(value: Buffer): Buffer {
  const changed = Buffer.from(value)
  changed[changed.length - 1]! ^= 1
  return changed
}

/** @returns base64 of the document */
export function createSignature(signing: Signing, faults: SignatureFaults = {}): string {
  const { signer, bank } = signing
  const data = writeSignedData(signing)
  const keys = writeKeyInfo(signer, bank.customers, bank.bank)
  const signedInfo = [
    `<SignedInfo xmlns="${signatureNamespace}">`,
    `<CanonicalizationMethod Algorithm="${canonical}"></CanonicalizationMethod>`,
    `<SignatureMethod Algorithm="${rsaSha256}"></SignatureMethod>`,
    writeReference(`Type="${bankIdNamespace}" URI="#bidSignedData"`, data),
    writeReference('URI="#bidKeyInfo"', keys),
    '</SignedInfo>',
  ].join('')
  const value = sign('sha256', Buffer.from(signedInfo), signer.keys.privateKey)
  const { isValueChanged = false, certificateAfterwards, visibleAfterwards, wrapped, hasDoctype } = faults
  const document = [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    hasDoctype === true ? '<!DOCTYPE Signature [<!ENTITY name "text">]>' : '',
    `<Signature xmlns="${signatureNamespace}">`,
    signedInfo,
    `<SignatureValue>${(isValueChanged ? changeBit(value) : value).toString('base64')}</SignatureValue>`,
    certificateAfterwards === undefined
      ? keys
      : writeKeyInfo(certificateAfterwards, bank.customers, bank.bank),
    '<Object>',
    wrapped === undefined ? '' : writeSignedData({ ...signing, visible: wrapped }),
    visibleAfterwards === undefined
      ? data
      : data.replace(/(<usrVisibleData[^>]*>)[^<]*/, `$1${visibleAfterwards}`),
    '</Object></Signature>',
  ]
  return base64(document.join(''))
}
