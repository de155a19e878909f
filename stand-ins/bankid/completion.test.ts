import { createHash, verify, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tamperings, type Tampering } from './completion.ts'
import {
  anna,
  type Answered,
  base64,
  begin,
  collect,
  scan,
  standIn,
  useStandIn,
} from './relying-party-client.ts'

useStandIn()

/** The element's text, since the document is in canonical form. */
const element = (xml: string, name: string): string => new RegExp(`<${name}[ >][^]*?</${name}>`).exec(xml)![0]
const complete = async (tamper?: Tampering): Promise<Answered['body']> => {
  const { orderRef } = await begin('/sign', { userNonVisibleData: base64('hash') })
  await scan(orderRef).sign({ ...anna, ...(tamper === undefined ? {} : { tamper }) })
  const { body } = await collect(orderRef)
  expect(body.orderRef === orderRef).toBe(tamper !== 'other-order')
  return body.completionData
}

describe('a completed order', () => {
  test('is signed by the person over the text and the other data, under the root', async () => {
    const { signature } = await complete()
    const xml = Buffer.from(signature, 'base64').toString()
    expect([...xml.matchAll(/<Reference (.*?)>/g)].map(([, attributes]) => attributes)).toEqual([
      'Type="http://www.bankid.com/signature/v1.0.0/types" URI="#bidSignedData"',
      'URI="#bidKeyInfo"',
    ])
    const parts = ['bankIdSignedData', 'KeyInfo'].map((name) => element(xml, name))
    const digests = parts.map((part) => createHash('sha256').update(part).digest('base64'))
    expect([...xml.matchAll(/<DigestValue>(.*?)</g)].map(([, digest]) => digest)).toEqual(digests)
    const chain = [...xml.matchAll(/<X509Certificate>(.*?)</g)].map(
      ([, der]) => new X509Certificate(Buffer.from(der!, 'base64')),
    )
    const value = /<SignatureValue>(.*?)</.exec(xml)![1]!
    const signedInfo = Buffer.from(element(xml, 'SignedInfo'))
    expect(verify('sha256', signedInfo, chain[0]!.publicKey, Buffer.from(value, 'base64'))).toBe(true)
    const root = new X509Certificate(standIn.rootsPem)
    for (const [index, certificate] of chain.entries()) {
      const issuer = chain[index + 1] ?? root
      expect(certificate.checkIssued(issuer)).toBe(true)
      expect(certificate.verify(issuer.publicKey)).toBe(true)
    }
    expect(chain[0]!.subject).toContain(`serialNumber=${anna.personalNumber}`)
    expect(parts[0]).toContain(`visible="wysiwys">${base64('I sign.')}</usrVisibleData>`)
    expect(parts[0]).toContain(`<usrNonVisibleData>${base64('hash')}</usrNonVisibleData>`)
    expect(parts[0]).toMatch(/ Id="bidSignedData">/)
    expect(parts[1]).toMatch(/ Id="bidKeyInfo">/)
    expect(parts[0]).toContain('<funcId>Signing</funcId>')
  })

  test('has an OCSP response for its signature', async () => {
    const { signature, ocspResponse } = await complete()
    const nonce = createHash('sha1').update(signature).digest('hex')
    expect(Buffer.from(ocspResponse, 'base64').toString('hex')).toContain(`0420${nonce}`)
  })

  test.each(Object.keys(tamperings) as Tampering[])('can have the fault %s', async (tamper) => {
    const whole = await complete()
    const { user, signature, ocspResponse } = await complete(tamper)
    const isReplayed = signature === whole.signature && ocspResponse === whole.ocspResponse
    expect(isReplayed).toBe(tamper === 'replay')
    expect(user.personalNumber === anna.personalNumber).toBe(tamper !== 'other-person')
  })
})
