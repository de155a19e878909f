import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { toMasterKey } from './master-key.ts'
import {
  newSigningSecret,
  sealSigningSecret,
  SigningSecretClosedError,
  unsealSigningSecret,
} from './signing-secret.ts'

const masterKeys = { current: toMasterKey(randomBytes(32)) }

test('a signing secret is the prefix and 43 letters and digits, another one each time', () => {
  expect(newSigningSecret()).toMatch(/^nws_[0-9A-Za-z]{43}$/)
  expect(newSigningSecret()).not.toBe(newSigningSecret())
})

test('what is stored shows nothing of it, and opens for its own source under its own master key alone', () => {
  const secret = newSigningSecret()
  const sealed = sealSigningSecret(masterKeys, secret, 'source-1')
  expect(sealed.includes(secret)).toBe(false)
  expect(unsealSigningSecret(masterKeys, sealed, 'source-1')).toBe(secret)
  expect(() => unsealSigningSecret(masterKeys, sealed, 'source-2')).toThrow(SigningSecretClosedError)
  expect(() => unsealSigningSecret({ current: toMasterKey(randomBytes(32)) }, sealed, 'source-1')).toThrow(
    'The signing secret of source source-1 does not open: it was sealed under another NUMERA_MASTER_KEY.',
  )
})
