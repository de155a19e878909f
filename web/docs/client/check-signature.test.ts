import { expect, test } from 'vitest'
import { checkSignature, sign, type SentDelivery } from './check-signature.ts'

const secret = 'nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const body = '{"at":"2026-01-01T00:00:00+01:00","amount":"249.50","shop":"Malmö – Västra"}'
const t = 1_767_225_600

/** The first published test vector, checked at the time of its signature. */
const sent: SentDelivery = {
  secret,
  deliveryId: 'order:1001',
  signature: `t=${t},v1=83c53d5a024c29abf4bac4d22157324a9824e0fdf4bf3a48910a8f2f600818d7`,
  body: bytes(body),
  nowMs: (t + 10) * 1_000,
}

const wrong = async (changes: Partial<SentDelivery>): Promise<string[]> =>
  (await checkSignature({ ...sent, ...changes })).filter(({ fits }) => !fits).map(({ sentence }) => sentence)

test('accepts the published vectors, including an empty body', async () => {
  expect(await wrong({})).toEqual([])
  expect(await sign(secret, '1767229263', 'empty-2', new Uint8Array())).toBe(
    'e6493460a541e3dc900c510a8ace3d1e085da4c7cf9efcaf13a3f29b435bfe81',
  )
})

test('names each part that does not match', async () => {
  expect(await wrong({ secret: ` ${secret}` })).toContain('The secret has spaces before or after it.')
  expect(await wrong({ secret: secret.slice(4) })).toContain('The secret must begin with nws_.')
  expect((await wrong({ deliveryId: 'order 1001' }))[0]).toMatch(/^Service-Delivery-Id must be/)
  expect(await wrong({ signature: sent.signature.replace(',', ', ') })).toContainEqual(
    expect.stringContaining('contains a space'),
  )
  expect(
    await wrong({ signature: sent.signature.toUpperCase().replace('T=', 't=').replace('V1', 'v1') }),
  ).toEqual(['v1 has capital letters. Write it in lower case.'])
  expect(await wrong({ nowMs: (t + 301) * 1_000 })).toEqual([
    expect.stringContaining('t is 5 minutes behind'),
  ])
  expect(await wrong({ nowMs: (t - 301) * 1_000 })).toEqual([
    expect.stringContaining('t is 5 minutes ahead of'),
  ])
  expect((await wrong({ body: bytes('{}') }))[0]).toMatch(
    /^v1 is not the signature of these parts, which is [0-9a-f]{64}/,
  )
})

test.each([
  ['The body was signed with a line feed at its end', `${t}.order:1001.${body}\n`, secret],
  ['Only the body was signed', body, secret],
  ['The delivery ID was not signed', `${t}.${body}`, secret],
  ['t was not signed', `order:1001.${body}`, secret],
  ['The dots were not signed', `${t}order:1001${body}`, secret],
  ['without its prefix', `${t}.order:1001.${body}`, secret.slice(4)],
  ['The secret was used with a line feed at its end', `${t}.order:1001.${body}`, `${secret}\n`],
  ['parsed and serialised again', `${t}.order:1001.${JSON.stringify(JSON.parse(body), null, 2)}`, secret],
])('finds what was signed instead: %s', async (sentence, signed, key) => {
  const hmac = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, bytes(signed)))
  const v1 = Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
  expect(await wrong({ signature: `t=${t},v1=${v1}` })).toEqual([expect.stringContaining(sentence)])
})
