import { expect, test } from 'vitest'
import { isSigned, startSignatureCheck } from './signature-check.ts'
import type { SigningSecrets } from './signing-secrets.ts'
import { webhookSignature } from './signature.ts'

const body = Buffer.from('{"amount":"249.50"}')
const t = '1767225600'
const id = 'order:1001'

const passes = (secrets: SigningSecrets, signedWith: string, chunks: Uint8Array[] = [body]): boolean => {
  const mac = Buffer.from(webhookSignature(signedWith, t, id, body), 'hex')
  const check = startSignatureCheck(secrets, { t, mac }, id)
  for (const chunk of chunks) check.update(chunk)
  const passed = check.passes()
  expect(isSigned(secrets, { t, mac }, id, Buffer.concat(chunks))).toBe(passed)
  return passed
}

const secrets = (current: boolean, previous: boolean): SigningSecrets => [
  { secret: 'nws_current', works: current },
  { secret: 'nws_previous', works: previous },
]

test('a signature under either secret passes, under another none does', () => {
  expect(passes(secrets(true, true), 'nws_current')).toBe(true)
  expect(passes(secrets(true, true), 'nws_previous')).toBe(true)
  expect(passes(secrets(true, true), 'nws_other')).toBe(false)
})

test('a stand-in verifies nothing, even if known', () => {
  expect(passes(secrets(true, false), 'nws_previous')).toBe(false)
  expect(passes(secrets(false, true), 'nws_current')).toBe(false)
  expect(passes(secrets(false, false), 'nws_current')).toBe(false)
})

test('the body may arrive in any pieces, and none may be missing', () => {
  const pieces = Array.from(body, (_, at) => body.subarray(at, at + 1))
  expect(passes(secrets(true, false), 'nws_current', pieces)).toBe(true)
  expect(passes(secrets(true, false), 'nws_current', pieces.slice(1))).toBe(false)
  expect(passes(secrets(true, false), 'nws_current', [])).toBe(false)
})
