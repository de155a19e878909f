import { expect, test } from 'vitest'
import { toMasterKey } from '../../../platform/keys/master-key.ts'
import { sealSigningSecret } from '../../../platform/keys/signing-secret.ts'
import { createOpenSigningSecrets } from './signing-secrets.ts'

const masterKeys = { current: toMasterKey(Buffer.alloc(32, 7)) }
const seal = (secret: string, sourceId = 'a') => sealSigningSecret(masterKeys, secret, sourceId)

test('sealed secrets are opened, and stand-ins replace missing ones', () => {
  const open = createOpenSigningSecrets(masterKeys)
  expect(open('a', seal('nws_one'), seal('nws_two'))).toEqual([
    { secret: 'nws_one', works: true },
    { secret: 'nws_two', works: true },
  ])
  const [current, previous] = open('a', null, null)
  expect([current.works, previous.works]).toEqual([false, false])
  expect(current.secret).toMatch(/^nws_\w{43}$/)
})

test('a cached secret is dropped as soon as another one is sealed', () => {
  const open = createOpenSigningSecrets(masterKeys)
  const first = seal('nws_one')
  expect(open('a', first, null)[0].secret).toBe('nws_one')
  expect(open('a', Buffer.from(first), null)[0].secret).toBe('nws_one')
  expect(open('a', seal('nws_two'), first)).toEqual([
    { secret: 'nws_two', works: true },
    { secret: 'nws_one', works: true },
  ])
  expect(open('a', null, first)[0].works).toBe(false)
  expect(open('a', first, null)[1].works).toBe(false)
})

test('made-up addresses push out no address that is in use', () => {
  const open = createOpenSigningSecrets(masterKeys)
  const sealed = seal('nws_one')
  const secrets = open('a', sealed, null)
  for (let made = 0; made < 25_000; made++) {
    open(`made-up ${made}`, null, null)
    if (made % 5_000 === 0) expect(open('a', sealed, null)).toBe(secrets)
  }
})
