import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPkcs12 } from '../../../../stand-ins/bankid/pkcs12.ts'
import { origin } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import { startBankIdFilesScene } from '../../../../testing/in-process/scenes/bankid-files-scene.ts'

const { scene, standIn, folder, file, asPem, asPkcs12, findProblems, open, writeEncryptedKey } =
  await startBankIdFilesScene()

test('the certificate and key may be PKCS#12, PEM, or PEM with a pass phrase', async () => {
  const encrypted = {
    ...asPem,
    NUMERA_BANKID_KEY_FILE: await writeEncryptedKey(),
    NUMERA_BANKID_PASSPHRASE: 'åäö',
  }
  for (const environment of [asPkcs12, asPem, encrypted]) {
    expect(findProblems(environment)).toEqual([])
    await using bankid = open(environment)
    expect((await bankid.startSignIn(origin)).presentation.qrText).toBeDefined()
  }
})

test('a missing setting is reported with its variable', () => {
  expect(findProblems({ NUMERA_IDENTITY: 'bankid', NUMERA_BANKID_URL: 'http://bankid.example' })).toEqual([
    expect.stringMatching(/^NUMERA_BANKID_URL must be the https address of BankID/),
    expect.stringMatching(/^NUMERA_BANKID_CERTIFICATE_FILE must be set/),
    expect.stringMatching(/^NUMERA_BANKID_ISSUER_FILE must be set/),
    expect.stringMatching(/^NUMERA_BANKID_ROOTS_FILE must be set/),
  ])
})

test('an unusable file is reported with its variable at the start', async () => {
  const other = await standIn.createRelyingParty({ name: 'Other' })
  const nothing = await file('nothing', 'nothing')
  const cases: [NodeJS.ProcessEnv, string][] = [
    [
      { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: join(folder, 'none') },
      'NUMERA_BANKID_CERTIFICATE_FILE cannot be read: ENOENT',
    ],
    [
      { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: nothing },
      'NUMERA_BANKID_CERTIFICATE_FILE must be PKCS#12',
    ],
    [
      { ...asPkcs12, NUMERA_BANKID_PASSPHRASE: 'wrong' },
      'NUMERA_BANKID_PASSPHRASE does not open the certificate file',
    ],
    [
      { ...asPkcs12, NUMERA_BANKID_PASSPHRASE: '' },
      'NUMERA_BANKID_PASSPHRASE does not open the certificate file',
    ],
    [
      { ...asPem, NUMERA_BANKID_KEY_FILE: '' },
      'NUMERA_BANKID_KEY_FILE must be set where the certificate is PEM',
    ],
    [{ ...asPem, NUMERA_BANKID_KEY_FILE: nothing }, 'NUMERA_BANKID_KEY_FILE must have a private key as PEM'],
    [
      { ...asPem, NUMERA_BANKID_KEY_FILE: await file('other.key', other.keyPem) },
      'NUMERA_BANKID_KEY_FILE has a key that does not belong to the certificate',
    ],
    [
      { ...asPem, NUMERA_BANKID_KEY_FILE: await writeEncryptedKey() },
      'NUMERA_BANKID_PASSPHRASE does not open the key',
    ],
    [
      { ...asPkcs12, NUMERA_BANKID_ISSUER_FILE: nothing },
      'NUMERA_BANKID_ISSUER_FILE must have certificates as PEM',
    ],
    [
      { ...asPkcs12, NUMERA_BANKID_ROOTS_FILE: join(folder, 'none') },
      'NUMERA_BANKID_ROOTS_FILE cannot be read: ENOENT',
    ],
  ]
  for (const [environment, problem] of cases) {
    expect(findProblems(environment), problem).toEqual([expect.stringContaining(problem)])
  }
})

test('a server certificate of another issuer is rejected', async () => {
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_ISSUER_FILE: standIn.files.roots })
  const calls = standIn.calls.length
  const { reference } = await bankid.startSignIn(origin)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  expect(standIn.calls).toHaveLength(calls)
  expect(scene.logged.join('')).toContain('"code":"unreachable"')
})

test('a server certificate is not accepted because its issuer is in the PKCS#12 file', async () => {
  const { authority, relyingParty, files } = standIn
  const issuers = [await authority.relyingPartyIssuer(), await authority.connectionRoot()]
  const pkcs12 = createPkcs12(relyingParty.issued, issuers, relyingParty.passphrase)
  const environment = {
    ...asPkcs12,
    NUMERA_BANKID_CERTIFICATE_FILE: await file('whole-chain.p12', pkcs12),
  }
  await using believing = open(environment)
  expect((await believing.startSignIn(origin)).presentation.qrText).toBeDefined()
  await using bankid = open({ ...environment, NUMERA_BANKID_ISSUER_FILE: files.roots })
  const calls = standIn.calls.length
  for (let again = 0; again < 3; again++) {
    const { reference } = await bankid.startSignIn(origin)
    expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  }
  expect(standIn.calls).toHaveLength(calls)
})

test('a certificate that BankID does not know begins no order', async () => {
  const stranger = await standIn.createRelyingParty({ isStranger: true })
  await using bankid = open({
    ...asPkcs12,
    NUMERA_BANKID_CERTIFICATE_FILE: await file('stranger.p12', stranger.pkcs12),
  })
  const { reference } = await bankid.startSignIn(origin)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
})
