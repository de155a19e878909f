import { copyFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../../platform/config/config-error.ts'
import { readConfig } from '../../../platform/config/read-config.ts'
import { authorityExtensions, getKeys, serverExtensions } from '../../../../stand-ins/bankid/authority.ts'
import { issueCertificate, toPem } from '../../../../stand-ins/bankid/certificate.ts'
import { createPkcs12 } from '../../../../stand-ins/bankid/pkcs12.ts'
import type { RelyingParty } from '../../../../stand-ins/bankid/start-bankid-stand-in.ts'
import { elin, origin, startBankIdScene, tolvan } from '../../../../testing/in-process/bankid-scene.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { chooseElectronicIdentity } from '../choose-electronic-identity.ts'
import { openBankId } from './open-bankid.ts'

/** The files that connect the service with BankID: at the start, and when they are exchanged. */

const scene = await startBankIdScene()
const { standIn, context, database } = scene
const day = 24 * 60 * 60_000
beforeEach(scene.beginAnew)

const folder = await mkdtemp(join(tmpdir(), 'bankid-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const file = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const asPem = {
  ...standIn.environment,
  NUMERA_IDENTITY: 'bankid',
  NUMERA_BANKID_CERTIFICATE_FILE: standIn.files.certificate,
  NUMERA_BANKID_KEY_FILE: standIn.files.key,
  NUMERA_BANKID_PASSPHRASE: '',
}
/** The same from files of their own, which a test exchanges: `{name}.pem` and `{name}.key`. */
const asOwnPem = async (name: string) => ({
  ...asPem,
  NUMERA_BANKID_CERTIFICATE_FILE: await file(`${name}.pem`, standIn.relyingParty.certificatePem),
  NUMERA_BANKID_KEY_FILE: await file(`${name}.key`, standIn.relyingParty.keyPem),
})
const asPkcs12 = { ...standIn.environment, NUMERA_IDENTITY: 'bankid' }

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    const { config, secrets } = readConfig(environment)
    chooseElectronicIdentity(config, secrets)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const open = (environment: NodeJS.ProcessEnv, clock = createTestClock()) => {
  const { config, secrets } = readConfig(environment)
  return openBankId(config.bankid!, secrets, { ...context, clock }, { collectWaitMs: 20_000 })
}
const encryptedKey = (): Promise<string> =>
  file(
    'encrypted.key',
    createPrivateKey(standIn.relyingParty.keyPem).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'åäö',
    }) as string,
  )

const makeDue = () => database.pool.query('update bankid_orders set next_collect_at = now()')

test('A certificate and its key open a connection: as PKCS#12, as PEM, and as PEM under a pass phrase', async () => {
  const encrypted = {
    ...asPem,
    NUMERA_BANKID_KEY_FILE: await encryptedKey(),
    NUMERA_BANKID_PASSPHRASE: 'åäö',
  }
  for (const environment of [asPkcs12, asPem, encrypted]) {
    expect(problemsOf(environment)).toEqual([])
    await using bankid = open(environment)
    expect((await bankid.startSignIn(origin)).presentation.qrText).toBeDefined()
  }
})

test('A missing setting is reported with its variable', () => {
  expect(problemsOf({ NUMERA_IDENTITY: 'bankid', NUMERA_BANKID_URL: 'http://bankid.example' })).toEqual([
    expect.stringMatching(/^NUMERA_BANKID_URL must be the https address of BankID/),
    expect.stringMatching(/^NUMERA_BANKID_CERTIFICATE_FILE must be set/),
    expect.stringMatching(/^NUMERA_BANKID_ISSUER_FILE must be set/),
    expect.stringMatching(/^NUMERA_BANKID_ROOTS_FILE must be set/),
  ])
})

test('An unusable file is reported with its variable, before anything is started', async () => {
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
      { ...asPem, NUMERA_BANKID_KEY_FILE: await encryptedKey() },
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
    expect(problemsOf(environment), problem).toEqual([expect.stringContaining(problem)])
  }
})

test('A server whose certificate is of another issuer is not believed', async () => {
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_ISSUER_FILE: standIn.files.roots })
  const calls = standIn.calls.length
  const { reference } = await bankid.startSignIn(origin)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  expect(standIn.calls).toHaveLength(calls)
  expect(scene.logged.join('')).toContain('"code":"unreachable"')
})

test('A server is not believed because its issuer is in the PKCS#12 file', async () => {
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

test('A server is believed by its issuer with an authority in between, and by no other', async () => {
  const root = await standIn.authority.connectionRoot()
  const valid = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) }
  const between = await issueCertificate({
    ...valid,
    name: [['CN', 'Between']],
    keys: await getKeys('ec', 'between'),
    issuer: root,
    extensions: authorityExtensions,
  })
  const leaf = await issueCertificate({
    ...valid,
    name: [['CN', 'Server']],
    keys: await getKeys('ec', 'below'),
    issuer: between,
    extensions: serverExtensions,
  })
  const key = leaf.keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ key, cert: toPem(leaf, between) }, (_, response) => {
    response.writeHead(503).end('{"errorCode":"maintenance","details":"maintenance"}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuers = [await standIn.authority.relyingPartyIssuer(), root]
  const pkcs12 = createPkcs12(standIn.relyingParty.issued, issuers, standIn.relyingParty.passphrase)
  const environment = {
    ...asPkcs12,
    NUMERA_BANKID_URL: url,
    NUMERA_BANKID_CERTIFICATE_FILE: await file('between.p12', pkcs12),
  }
  const codeBy = async (issuerFile: string): Promise<unknown> => {
    await using bankid = open({ ...environment, NUMERA_BANKID_ISSUER_FILE: issuerFile })
    await bankid.startSignIn(origin)
    return JSON.parse(scene.logged.at(-1)!).code
  }
  try {
    expect(await codeBy(standIn.files.issuer)).toBe('maintenance')
    expect(await codeBy(standIn.files.roots)).toBe('unreachable')
  } finally {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
})

test('A certificate that BankID does not know begins no order', async () => {
  const stranger = await standIn.createRelyingParty({ isStranger: true })
  await using bankid = open({
    ...asPkcs12,
    NUMERA_BANKID_CERTIFICATE_FILE: await file('stranger.p12', stranger.pkcs12),
  })
  const { reference } = await bankid.startSignIn(origin)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
})

test('A certificate is exchanged without a stop, and orders that are under way come to their end', async () => {
  const path = await file('rotated.p12', standIn.relyingParty.pkcs12)
  const environment = { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }
  const clock = createTestClock()
  await using bankid = open(environment, clock)
  await using started = open(environment)
  const before = await bankid.startSignIn(origin)
  await standIn.phone.scan(before.presentation.qrText!).sign(tolvan)

  const next: RelyingParty = await standIn.createRelyingParty({ name: 'Next' })
  await file('rotated.p12', next.pkcs12)
  const nameNow = async (): Promise<string> => {
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  clock.advance(59_000)
  expect(await nameNow()).toBe('Numera')
  clock.advance(1_000)
  expect(await nameNow()).toBe('Next')

  await makeDue()
  expect(await bankid.collect(before.reference)).toMatchObject({ state: 'complete', person: tolvan })
  // A process that has not polled yet continues an order of the new certificate immediately.
  const after = await bankid.startSignIn(origin)
  await standIn.phone.scan(after.presentation.qrText!).sign(elin)
  await makeDue()
  expect(await started.collect(after.reference)).toMatchObject({ state: 'complete', person: elin })
})

test('A process that has not the certificate of an order leaves it to one that has', async () => {
  const folders = await Promise.all(['a-', 'b-'].map((name) => mkdtemp(join(folder, name))))
  const [ofNew, ofOld] = folders.map((each) => join(each, 'one.p12')) as [string, string]
  const next = await standIn.createRelyingParty({ name: 'Next of a' })
  await writeFile(ofNew, next.pkcs12)
  await copyFile(standIn.files.pkcs12, ofOld)
  await using newer = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: ofNew })
  await using older = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: ofOld })
  for (const [begins, other] of [
    [newer, older],
    [older, newer],
  ] as const) {
    const started = await begins.startSignIn(origin)
    await standIn.phone.scan(started.presentation.qrText!).sign(tolvan)
    await makeDue()
    const calls = standIn.calls.length
    expect((await other.collect(started.reference)).state).toBe('pending')
    expect(standIn.calls).toHaveLength(calls)
    // Immediately: no call has been made.
    expect(await begins.collect(started.reference)).toMatchObject({ state: 'complete', person: tolvan })
  }
  expect(scene.logged.filter((line) => line.includes('no_certificate'))).toHaveLength(2)

  const { reference } = await newer.startSignIn(origin)
  await scene.pass(4 * 60_000)
  expect((await older.collect(reference)).state).toBe('pending')
  await scene.pass(60_000)
  expect(await older.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
})

test('An unusable file is not read again for each poll of an order, but each minute', async () => {
  const next = await standIn.createRelyingParty({ name: 'Next of pace' })
  const clock = createTestClock()
  const own = await asOwnPem('pace')
  await using bankid = open(own, clock)
  await using newer = open({
    ...asPkcs12,
    NUMERA_BANKID_CERTIFICATE_FILE: await file('pace.p12', next.pkcs12),
  })
  const started = await newer.startSignIn(origin)
  await standIn.phone.scan(started.presentation.qrText!).sign(tolvan)
  const ask = async () => {
    await makeDue()
    return bankid.collect(started.reference)
  }
  /** Files that look the same from outside. */
  const put = async (content: string): Promise<void> => {
    await writeFile(own.NUMERA_BANKID_CERTIFICATE_FILE, content.padEnd(5_000, '\n'))
    await utimes(own.NUMERA_BANKID_CERTIFICATE_FILE, 1_700_000_000, 1_700_000_000)
  }
  await file('pace.key', next.keyPem)
  await put('nothing')
  expect((await ask()).state).toBe('pending')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toHaveLength(1)
  await put(next.certificatePem)
  expect((await ask()).state).toBe('pending')
  clock.advance(59_000)
  expect((await ask()).state).toBe('pending')
  clock.advance(1_000)
  expect(await ask()).toMatchObject({ state: 'complete', person: tolvan })
})

test('A new file that cannot be used is logged once, and the old certificate stays until it can', async () => {
  const clock = createTestClock()
  const own = await asOwnPem('pem')
  await using bankid = open(own, clock)
  const nameNow = async (): Promise<string> => {
    clock.advance(60_000)
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  const next = await standIn.createRelyingParty({ name: 'Next of two' })
  await file('pem.pem', next.certificatePem)
  expect(await nameNow()).toBe('Numera')
  expect(await nameNow()).toBe('Numera')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toEqual([
    expect.stringContaining('NUMERA_BANKID_KEY_FILE has a key that does not belong to the certificate'),
  ])
  await file('pem.key', next.keyPem)
  expect(await nameNow()).toBe('Next of two')
  await copyFile(standIn.files.certificate, own.NUMERA_BANKID_CERTIFICATE_FILE)
  await rm(own.NUMERA_BANKID_KEY_FILE)
  expect(await nameNow()).toBe('Next of two')
})

test('A folder that can no longer be read is logged, and the old certificate stays', async () => {
  const inside = await mkdtemp(join(folder, 'unreadable-'))
  const path = join(inside, 'one.p12')
  await copyFile(standIn.files.pkcs12, path)
  const clock = createTestClock()
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }, clock)
  const nameNow = async (): Promise<string> => {
    clock.advance(60_000)
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  // A loop of links cannot be read by root either.
  await rm(inside, { recursive: true })
  await symlink(inside, inside)
  expect(await nameNow()).toBe('Numera')
  expect(await nameNow()).toBe('Numera')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toEqual([
    expect.stringContaining('NUMERA_BANKID_CERTIFICATE_FILE cannot be read: ELOOP'),
  ])
  await rm(inside)
  await mkdir(inside)
  await writeFile(path, (await standIn.createRelyingParty({ name: 'Next of unreadable' })).pkcs12)
  expect(await nameNow()).toBe('Next of unreadable')
})

test('A certificate that has ended stops no start: the log says so, and a new one is taken up from its file', async () => {
  const ended = await standIn.createRelyingParty({ name: 'Ended', notAfter: new Date(Date.now() - day) })
  const path = await file('one.p12', ended.pkcs12)
  const environment = { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }
  expect(problemsOf(environment)).toEqual([])
  const clock = createTestClock(Date.now())
  await using bankid = open(environment, clock)
  expect(scene.logged.filter((line) => line.includes('the certificate for BankID has expired'))).toHaveLength(
    1,
  )
  const { reference } = await bankid.startSignIn(origin)
  expect(await bankid.collect(reference)).toEqual({ state: 'failed', reason: 'unavailable' })
  const next = await standIn.createRelyingParty({ name: 'Next of ended' })
  await file('one.p12', next.pkcs12)
  clock.advance(60_000)
  const { presentation } = await bankid.startSignIn(origin)
  expect(standIn.phone.scan(presentation.qrText!).relyingPartyName).toBe('Next of ended')
})

test.each([
  ['has ended', { notAfter: new Date(Date.now() - day) }, 'has a certificate that expired at'],
  ['begins later', { notBefore: new Date(Date.now() + day) }, 'has a certificate that is valid from'],
])('A new certificate that %s does not take the place of one that is valid', async (_what, dates, why) => {
  const path = await file('two.p12', standIn.relyingParty.pkcs12)
  const clock = createTestClock()
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }, clock)
  await file('two.p12', (await standIn.createRelyingParty({ name: 'Not now', ...dates })).pkcs12)
  clock.advance(60_000)
  const { presentation } = await bankid.startSignIn(origin)
  expect(standIn.phone.scan(presentation.qrText!).relyingPartyName).toBe('Numera')
  expect(scene.logged.join('')).toContain(why)
})

test('The end of the certificate is a metric, and the log warns of it once a day from 30 days before', async () => {
  const notAfter = new Date(Date.now() + 200 * day)
  const ending = await standIn.createRelyingParty({ name: 'Ending', notAfter })
  const path = await file('ending.p12', ending.pkcs12)
  const clock = createTestClock(notAfter.getTime() - 31 * day)
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }, clock)
  const { values } = await context.telemetry.bankIdCertificateNotAfter.get()
  expect(Math.abs(values[0]!.value * 1_000 - notAfter.getTime())).toBeLessThan(2_000)
  const warned = async (): Promise<number> => {
    await bankid.startSignIn(origin)
    return scene.logged.filter((line) => line.includes('the certificate for BankID expires soon')).length
  }
  expect(await warned()).toBe(0)
  clock.advance(2 * day)
  expect(await warned()).toBe(1)
  clock.advance(day / 2)
  expect(await warned()).toBe(1)
  clock.advance(day / 2)
  expect(await warned()).toBe(2)
})
