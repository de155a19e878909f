import { createHash, verify, X509Certificate } from 'node:crypto'
import { NotVerified } from './not-verified.ts'
import { parseStrictXml, type XmlElement } from './strict-xml.ts'

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const dataNamespace = 'http://www.bankid.com/signature/v1.0.0/types'
const canonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const dataUri = '#bidSignedData'
const keyInfoUri = '#bidKeyInfo'

/**
 * How many certificates a signature may contain: the person's and those above it, without the root. With more it does not
 * hold.
 */
export const chainCertificatesMax = 4

/** What a signature covers. */
export interface SignedContent {
  /** The person's, then each one's issuer. Not yet trusted. */
  certificates: X509Certificate[]
  visible: { bytes: Buffer; format: 'plaintext' | 'simpleMarkdownV1' } | undefined
  nonVisible: Buffer | undefined
  function: 'Identification' | 'Signing'
  /** In canonical form, for verifying without this program. */
  signedInfo: string
  signedData: string
  keyInfo: string
  signatureValue: Buffer
}

function unexpected(): never {
  throw new NotVerified('unexpected_structure')
}

/** Requires a name, and exactly these attributes. A `?` after the name of an attribute means that it may be absent. */
function requireElement(
  element: XmlElement | undefined,
  name: string,
  attributes: Record<string, string> = {},
): XmlElement {
  if (element?.name !== name) return unexpected()
  let known = 0
  for (const [key, expected] of Object.entries(attributes)) {
    const value = element.attributes.get(key.replace('?', ''))
    if (value === undefined && key.endsWith('?')) continue
    if (value !== expected) unexpected()
    known++
  }
  if (known !== element.attributes.size) unexpected()
  return element
}

/** The elements within, which must be so many. */
function getChildren(element: XmlElement, count: number): XmlElement[] {
  if (element.children.length !== count) unexpected()
  return element.children
}

function getText(element: XmlElement): string {
  if (element.children.length > 0) unexpected()
  return element.text
}

/** Base64 in its canonical form (RFC 4648, 3.5), except for line breaks. */
function getBase64(element: XmlElement): Buffer {
  const text = getText(element).replaceAll(/[\t\n ]+/g, '')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new NotVerified('malformed_signature')
  return bytes
}

function requireAlgorithm(element: XmlElement | undefined, name: string, algorithm: string): void {
  if (element?.name === name && element.attributes.get('Algorithm') !== algorithm) {
    throw new NotVerified('unexpected_algorithm')
  }
  if (requireElement(element, name, { Algorithm: algorithm }).children.length > 0) unexpected()
}

/** The digests of the signed info: two references, by these algorithms, and nothing else. */
function readDigests(signedInfo: XmlElement): { data: Buffer; keyInfo: Buffer } {
  const [canonical, method, ...references] = getChildren(signedInfo, 4)
  requireAlgorithm(canonical, 'CanonicalizationMethod', canonicalization)
  requireAlgorithm(method, 'SignatureMethod', rsaSha256)
  const byUri = new Map<string, Buffer>()
  for (const reference of references) {
    const uri = reference.attributes.get('URI') ?? ''
    requireElement(
      reference,
      'Reference',
      uri === dataUri ? { URI: uri, Type: dataNamespace } : { URI: keyInfoUri },
    )
    const [transforms, digestMethod, digestValue] = getChildren(reference, 3)
    const [transform] = getChildren(requireElement(transforms, 'Transforms'), 1)
    requireAlgorithm(transform, 'Transform', canonicalization)
    requireAlgorithm(digestMethod, 'DigestMethod', sha256)
    byUri.set(uri, getBase64(requireElement(digestValue, 'DigestValue')))
  }
  return { data: byUri.get(dataUri) ?? unexpected(), keyInfo: byUri.get(keyInfoUri) ?? unexpected() }
}

/** What the profile leaves open: only names without a meaning in XML signatures, and nothing that could be referenced. */
function checkOpenContent(element: XmlElement): void {
  if (element.attributes.size > 0 || !/^[a-z]/.test(element.name)) unexpected()
  element.children.forEach(checkOpenContent)
}

function readCertificates(keyInfo: XmlElement): X509Certificate[] {
  requireElement(keyInfo, 'KeyInfo', { xmlns: signatureNamespace, Id: keyInfoUri.slice(1) })
  const [data] = getChildren(keyInfo, 1)
  const { children } = requireElement(data, 'X509Data')
  if (children.length === 0 || children.length > chainCertificatesMax) unexpected()
  return children.map((child) => {
    const der = getBase64(requireElement(child, 'X509Certificate'))
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(der)
    } catch {
      throw new NotVerified('malformed_certificate')
    }
    // More may follow it, or it may be PEM.
    if (!certificate.raw.equals(der)) throw new NotVerified('malformed_certificate')
    return certificate
  })
}

function readSignedData(signedData: XmlElement): Pick<SignedContent, 'visible' | 'nonVisible' | 'function'> {
  requireElement(signedData, 'bankIdSignedData', { xmlns: dataNamespace, Id: dataUri.slice(1) })
  const rest = [...signedData.children]
  let visible: SignedContent['visible']
  if (rest[0]?.name === 'usrVisibleData') {
    const shown = rest.shift()!
    const isMarkdown = shown.attributes.get('format') === 'simpleMarkdownV1'
    const format = isMarkdown ? 'simpleMarkdownV1' : 'plaintext'
    requireElement(shown, 'usrVisibleData', { charset: 'UTF-8', 'format?': format, 'visible?': 'wysiwys' })
    visible = { bytes: getBase64(shown), format }
  }
  const nonVisible =
    rest[0]?.name === 'usrNonVisibleData'
      ? getBase64(requireElement(rest.shift(), 'usrNonVisibleData'))
      : undefined
  const [server, client] = rest
  if (rest.length !== 2 || server?.name !== 'srvInfo' || client?.name !== 'clientInfo') unexpected()
  rest.forEach(checkOpenContent)
  const functions = client!.children.filter(({ name }) => name === 'funcId')
  const [name] = functions.map(getText)
  if (functions.length !== 1 || (name !== 'Identification' && name !== 'Signing')) unexpected()
  return { visible, nonVisible, function: name as SignedContent['function'] }
}

function hasDigest(element: XmlElement, digest: Buffer): boolean {
  return createHash('sha256').update(element.source).digest().equals(digest)
}

/**
 * Verifies the XML signature of an order (W3C REC-xmldsig-core-20080610) with the key of its first certificate; whether
 * that is trusted is checked elsewhere. BankID's profile is required to the letter, and in it each part is its own
 * canonical form. Digests are computed over the parts from which the content is read, and nothing is looked up by id: there
 * is no second place for other content.
 *
 * @param xml a signature with exactly two references, to the data and to the certificates
 * @throws NotVerified
 */
export function verifyXmlSignature(xml: string): SignedContent {
  const root = requireElement(parseStrictXml(xml), 'Signature', { xmlns: signatureNamespace })
  const [signedInfo, value, keyInfo, object] = getChildren(root, 4) as [
    XmlElement,
    XmlElement,
    XmlElement,
    XmlElement,
  ]
  const digests = readDigests(requireElement(signedInfo, 'SignedInfo', { xmlns: signatureNamespace }))
  const signatureValue = getBase64(requireElement(value, 'SignatureValue'))
  const certificates = readCertificates(keyInfo)
  const [signedData] = getChildren(requireElement(object, 'Object'), 1) as [XmlElement]
  const data = readSignedData(signedData)

  if (!hasDigest(signedData, digests.data) || !hasDigest(keyInfo, digests.keyInfo))
    throw new NotVerified('wrong_digest')
  const { publicKey } = certificates[0]!
  if (publicKey.asymmetricKeyType !== 'rsa') throw new NotVerified('unexpected_algorithm')
  if (!verify('sha256', Buffer.from(signedInfo.source), publicKey, signatureValue)) {
    throw new NotVerified('wrong_signature')
  }
  return {
    ...data,
    certificates,
    signedInfo: signedInfo.source,
    signedData: signedData.source,
    keyInfo: keyInfo.source,
    signatureValue,
  }
}
