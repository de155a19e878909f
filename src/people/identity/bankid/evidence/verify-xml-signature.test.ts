import { createHash, createHmac, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { Authority } from '../../../../../stand-ins/bankid/authority.ts'
import type { Issued } from '../../../../../stand-ins/bankid/certificate.ts'
import { NotVerified, type NotVerifiedReason } from './not-verified.ts'
import { xmlDepthMax, xmlElementsMax } from './strict-xml.ts'
import { chainCertificatesMax, verifyXmlSignature } from './verify-xml-signature.ts'

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const dataNamespace = 'http://www.bankid.com/signature/v1.0.0/types'
const canonical = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

let signer: Issued
let authorities: Issued[]
beforeAll(async () => {
  const authority = new Authority()
  const { bank, customers } = await authority.bank()
  signer = await authority.person({ personalNumber: '197001011233', name: 'Åsa Öberg' }, 'signing')
  authorities = [customers, bank]
})

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64')

const data = (inner: { visible?: string; client?: string; id?: string } = {}): string => {
  const { visible = base64('Our text'), client = '', id = 'bidSignedData' } = inner
  return (
    `<bankIdSignedData xmlns="${dataNamespace}" Id="${id}">` +
    `<usrVisibleData charset="UTF-8" visible="wysiwys">${visible}</usrVisibleData>` +
    '<srvInfo><name>TnVtZXJh</name></srvInfo>' +
    `<clientInfo><funcId>Signing</funcId>${client}</clientInfo></bankIdSignedData>`
  )
}

const certificates = (...issued: readonly Issued[]): string =>
  issued.map(({ certificate }) => `<X509Certificate>${base64(certificate.raw)}</X509Certificate>`).join('')

const keyInfo = (inner = `<X509Data>${certificates(signer, ...authorities)}</X509Data>`): string =>
  `<KeyInfo xmlns="${signatureNamespace}" Id="bidKeyInfo">${inner}</KeyInfo>`

const reference = (
  attributes: string,
  digested: string,
  of: { transform?: string; digest?: string } = {},
) => {
  const { transform = canonical, digest = sha256 } = of
  return (
    `<Reference ${attributes}><Transforms><Transform Algorithm="${transform}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${digest}"></DigestMethod>` +
    `<DigestValue>${createHash('sha256').update(digested).digest('base64')}</DigestValue></Reference>`
  )
}

interface Parts {
  signedData?: string
  /** Replaces the signed data. */
  objects?: string
  keys?: string
  canonicalization?: string
  method?: string
  references?: string
  /** Of the whole document, after it is signed. */
  change?: (document: string) => string
}

/** A document whose digests and signature value match its parts. */
const make = (parts: Parts = {}): string => {
  const { signedData = data(), keys = keyInfo(), canonicalization = canonical, method = rsaSha256 } = parts
  const dataReference = reference(`Type="${dataNamespace}" URI="#bidSignedData"`, signedData)
  const references = parts.references ?? dataReference + reference('URI="#bidKeyInfo"', keys)
  const signedInfo =
    `<SignedInfo xmlns="${signatureNamespace}">` +
    `<CanonicalizationMethod Algorithm="${canonicalization}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${method}"></SignatureMethod>${references}</SignedInfo>`
  const value = method.includes('hmac')
    ? createHmac('sha1', signer.certificate.toString()).update(signedInfo).digest()
    : sign('sha256', Buffer.from(signedInfo), signer.keys.privateKey)
  const document =
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?><Signature xmlns="${signatureNamespace}">${signedInfo}` +
    `<SignatureValue>${base64(value)}</SignatureValue>${keys}<Object>${parts.objects ?? signedData}</Object></Signature>`
  return parts.change?.(document) ?? document
}

const getReason = (document: string): NotVerifiedReason | 'holds' => {
  try {
    verifyXmlSignature(document)
    return 'holds'
  } catch (error) {
    if (error instanceof NotVerified) return error.reason
    throw error
  }
}

/** Without its declaration. */
const rest = (document: string): string => document.replace(/^<\?xml.*?\?>/, '')

const nested = (depth: number): string => data({ client: '<a>'.repeat(depth) + '</a>'.repeat(depth) })

/** Both references, made otherwise. */
const both = (of: Parameters<typeof reference>[2] = {}, uri = '#bidSignedData') =>
  reference(`Type="${dataNamespace}" URI="${uri}"`, data(), of) + reference('URI="#bidKeyInfo"', keyInfo())

test('the text that is read is the one that was signed', () => {
  const content = verifyXmlSignature(make())
  expect(content.visible).toEqual({ bytes: Buffer.from('Our text'), format: 'plaintext' })
  expect(content.certificates.map(({ subject }) => subject)).toEqual(
    [signer, ...authorities].map(({ certificate }) => certificate.subject),
  )
})

test('line breaks in base64 and between elements are accepted if they were signed', () => {
  const spaced = data({ visible: base64('Our text').replace(/^..../, '$&\n') }).replaceAll('><', '>\n<')
  expect(verifyXmlSignature(make({ signedData: spaced })).visible?.bytes.toString()).toBe('Our text')
})

test('further elements are accepted where the profile allows them', () => {
  const client = '<env><ai><type>T1NfWA==</type></ai></env><rpRef>eA==</rpRef>'
  expect(getReason(make({ signedData: data({ client }) }))).toBe('holds')
})

describe('another text is refused', () => {
  const other = data({ visible: base64('Another text') })

  test.each<[string, () => string, NotVerifiedReason]>([
    ['in the place of the signed one', () => make({ objects: other }), 'wrong_digest'],
    ['before the signed one', () => make({ objects: other + data() }), 'unexpected_structure'],
    ['after the signed one', () => make({ objects: data() + other }), 'unexpected_structure'],
    [
      'with the signed one under another identifier',
      () => make({ objects: other + data({ id: 'bidSignedData2' }) }),
      'unexpected_structure',
    ],
    [
      'with the signed one moved into it',
      () => make({ objects: other.replace('</clientInfo>', `${data()}</clientInfo>`) }),
      'unexpected_structure',
    ],
    [
      'with the signed one in an object of its own',
      () => make({ change: (document) => document.replace('<Object>', `<Object>${other}</Object><Object>`) }),
      'unexpected_structure',
    ],
    [
      'with the signed one beside the certificates',
      () =>
        make({
          objects: other,
          change: (document) => document.replace('</X509Data>', `</X509Data>${data()}`),
        }),
      'unexpected_structure',
    ],
    [
      'as a second text in the signed one',
      () =>
        make({
          signedData: data().replace(
            '<srvInfo>',
            '<usrVisibleData charset="UTF-8">QQ==</usrVisibleData><srvInfo>',
          ),
        }),
      'unexpected_structure',
    ],
    [
      'with a second signature around the first',
      () => make({ objects: other + rest(make()) }),
      'unexpected_structure',
    ],
    [
      'with a second signature beside the first',
      () => make({ change: (document) => document + rest(make()) }),
      'malformed_signature',
    ],
    [
      'by a comment in the signed one',
      () => make({ change: (document) => document.replace('T3Vy', 'T3Vy<!-- -->') }),
      'malformed_signature',
    ],
    [
      'by CDATA',
      () => make({ change: (document) => document.replace('T3Vy', '<![CDATA[T3Vy]]>') }),
      'malformed_signature',
    ],
    [
      'by a processing instruction',
      () => make({ change: (document) => document.replace('T3Vy', '<?a?>T3Vy') }),
      'malformed_signature',
    ],
    [
      'by an entity',
      () =>
        make({
          change: (document) =>
            document
              .replace('<Signature ', '<!DOCTYPE Signature [<!ENTITY t "T3Vy">]><Signature ')
              .replace('>T3Vy', '>&t;'),
        }),
      'malformed_signature',
    ],
    [
      'by a character reference',
      () => make({ change: (document) => document.replace('>T3Vy', '>&#84;3Vy') }),
      'malformed_signature',
    ],
    [
      'by a prefix',
      () =>
        make({
          change: (document) =>
            document
              .replace('<Signature ', '<Signature xmlns:b="urn:b" ')
              .replace('<Object>', '<Object><b:c></b:c>'),
        }),
      'malformed_signature',
    ],
    [
      'by an attribute that is there twice',
      () => make({ change: (document) => document.replace(' Id="bidSignedData"', ' Id="a"$&') }),
      'malformed_signature',
    ],
    [
      'by the identifier on another element too',
      () => make({ change: (document) => document.replace('<Object>', '<Object Id="bidSignedData">') }),
      'unexpected_structure',
    ],
    [
      'by an identifier where the profile is open',
      () => make({ signedData: data({ client: '<env Id="bidKeyInfo"></env>' }) }),
      'unexpected_structure',
    ],
    [
      'by an element of signatures where the profile is open',
      () => make({ signedData: data({ client: '<SignedInfo></SignedInfo>' }) }),
      'unexpected_structure',
    ],
    [
      'by a second function',
      () => make({ signedData: data({ client: '<funcId>Identification</funcId>' }) }),
      'unexpected_structure',
    ],
  ])('%s', (_where, document, reason) => {
    expect(getReason(document())).toBe(reason)
  })
})

describe('other algorithms and references than the profile’s are refused, even if signed', () => {
  test.each<[string, () => Parts, NotVerifiedReason]>([
    [
      'HMAC with the certificate as its key',
      () => ({ method: `${signatureNamespace}hmac-sha1` }),
      'unexpected_algorithm',
    ],
    ['RSA with SHA-1', () => ({ method: `${signatureNamespace}rsa-sha1` }), 'unexpected_algorithm'],
    [
      'canonicalization with comments',
      () => ({ canonicalization: `${canonical}#WithComments` }),
      'unexpected_algorithm',
    ],
    [
      'exclusive canonicalization',
      () => ({ canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#' }),
      'unexpected_algorithm',
    ],
    [
      'another transform',
      () => ({ references: both({ transform: `${signatureNamespace}enveloped-signature` }) }),
      'unexpected_algorithm',
    ],
    [
      'XSLT',
      () => ({ references: both({ transform: 'http://www.w3.org/TR/1999/REC-xslt-19991116' }) }),
      'unexpected_algorithm',
    ],
    [
      'another digest',
      () => ({ references: both({ digest: `${signatureNamespace}sha1` }) }),
      'unexpected_algorithm',
    ],
    ['a reference to the whole document', () => ({ references: both({}, '') }), 'unexpected_structure'],
    [
      'a reference by XPointer',
      () => ({ references: both({}, "#xpointer(id('bidSignedData'))") }),
      'unexpected_structure',
    ],
    [
      'a reference to another place',
      () => ({ references: both({}, 'http://127.0.0.1/') }),
      'unexpected_structure',
    ],
    [
      'only the reference to the certificates',
      () => ({ references: reference('URI="#bidKeyInfo"', keyInfo()) }),
      'unexpected_structure',
    ],
    [
      'only the reference to the data',
      () => ({ references: reference(`Type="${dataNamespace}" URI="#bidSignedData"`, data()) }),
      'unexpected_structure',
    ],
    [
      'the same reference twice',
      () => ({ references: reference('URI="#bidKeyInfo"', keyInfo()).repeat(2) }),
      'unexpected_structure',
    ],
    [
      'a third reference',
      () => ({ references: both() + reference('URI="#other"', '') }),
      'unexpected_structure',
    ],
    [
      'two transforms',
      () => ({ references: both().replaceAll(/<Transform .*?<\/Transform>/g, '$&$&') }),
      'unexpected_structure',
    ],
    [
      'a digest that is cut off',
      () => ({ references: both().replace(/[^>]{4}<\/DigestValue>/, '</DigestValue>') }),
      'wrong_digest',
    ],
    ['no certificate', () => ({ keys: keyInfo('<X509Data></X509Data>') }), 'unexpected_structure'],
    [
      'a key in the place of certificates',
      () => ({ keys: keyInfo('<KeyValue></KeyValue>') }),
      'unexpected_structure',
    ],
    [
      'certificates without end',
      () => ({
        keys: keyInfo(`<X509Data>${certificates(signer).repeat(chainCertificatesMax + 1)}</X509Data>`),
      }),
      'unexpected_structure',
    ],
    [
      'something after a certificate',
      () => ({
        keys: keyInfo(
          `<X509Data><X509Certificate>${base64(Buffer.concat([signer.certificate.raw, Buffer.alloc(3)]))}</X509Certificate></X509Data>`,
        ),
      }),
      'malformed_certificate',
    ],
    ['base64 in another writing', () => ({ signedData: data({ visible: 'QR==' }) }), 'malformed_signature'],
  ])('%s', (_what, parts, reason) => {
    expect(getReason(make(parts()))).toBe(reason)
  })
})

describe('a document that is too large, too deep or no text is refused', () => {
  test('elements within elements', () => {
    expect(getReason(make({ signedData: nested(xmlDepthMax - 4) }))).toBe('holds')
    expect(getReason(make({ signedData: nested(xmlDepthMax - 3) }))).toBe('malformed_signature')
    expect(getReason(make({ signedData: nested(50_000) }))).toBe('malformed_signature')
  })

  test('sibling elements', () => {
    expect(getReason(make({ signedData: data({ client: '<a></a>'.repeat(xmlElementsMax) }) }))).toBe(
      'malformed_signature',
    )
  })

  test.each([
    ['nothing', ''],
    ['an open element', '<Signature>'],
    ['an end without a beginning', '</Signature>'],
    ['elements that cross', '<a><b></a></b>'],
    ['two documents', '<a></a><a></a>'],
    ['text around it', 'text<a></a>'],
    ['a very long name', `<${'a'.repeat(200_000)}`],
    ['very many attributes', `<a${' b="c"'.repeat(50_000)}`],
    ['very much that is no end', `<a>${'</'.repeat(100_000)}`],
  ])('%s', (_what, document) => {
    expect(getReason(document)).toBe('malformed_signature')
  })
})
