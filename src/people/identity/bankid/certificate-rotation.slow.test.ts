import { copyFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorityExtensions, getKeys, serverExtensions } from '../../../../stand-ins/bankid/authority.ts'
import { issueCertificate, toPem } from '../../../../stand-ins/bankid/certificate.ts'
import { createPkcs12 } from '../../../../stand-ins/bankid/pkcs12.ts'
import type { RelyingParty } from '../../../../stand-ins/bankid/start-bankid-stand-in.ts'
import { elin, origin, tolvan } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { day, startBankIdFilesScene } from '../../../../testing/in-process/scenes/bankid-files-scene.ts'

const { scene, standIn, context, folder, file, asOwnPem, asPkcs12, findProblems, open, setDue } =
  await startBankIdFilesScene()

test('a server certificate may be issued by an intermediate authority of its issuer', async () => {
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
  const getErrorCode = async (issuerFile: string): Promise<unknown> => {
    await using bankid = open({ ...environment, NUMERA_BANKID_ISSUER_FILE: issuerFile })
    await bankid.startSignIn(origin)
    return JSON.parse(scene.logged.at(-1)!).code
  }
  try {
    expect(await getErrorCode(standIn.files.issuer)).toBe('maintenance')
    expect(await getErrorCode(standIn.files.roots)).toBe('unreachable')
  } finally {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
})

test('a certificate is replaced without a restart, and orders in progress are completed', async () => {
  const path = await file('rotated.p12', standIn.relyingParty.pkcs12)
  const environment = { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }
  const clock = createTestClock()
  await using bankid = open(environment, clock)
  await using started = open(environment)
  const before = await bankid.startSignIn(origin)
  await standIn.phone.scan(before.presentation.qrText!).sign(tolvan)

  const next: RelyingParty = await standIn.createRelyingParty({ name: 'Next' })
  await file('rotated.p12', next.pkcs12)
  const readCurrentName = async (): Promise<string> => {
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  clock.advance(59_000)
  expect(await readCurrentName()).toBe('Numera')
  clock.advance(1_000)
  expect(await readCurrentName()).toBe('Next')

  await setDue()
  expect(await bankid.collect(before.reference)).toMatchObject({ state: 'complete', person: tolvan })
  // A process that has not polled yet continues an order of the new certificate immediately.
  const after = await bankid.startSignIn(origin)
  await standIn.phone.scan(after.presentation.qrText!).sign(elin)
  await setDue()
  expect(await started.collect(after.reference)).toMatchObject({ state: 'complete', person: elin })
})

test('an order is collected by a process that has its certificate', async () => {
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
    await setDue()
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

test('an unusable file is read again once a minute, not for each poll', async () => {
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
  const poll = async () => {
    await setDue()
    return bankid.collect(started.reference)
  }
  /** Files that look the same from outside. */
  const put = async (content: string): Promise<void> => {
    await writeFile(own.NUMERA_BANKID_CERTIFICATE_FILE, content.padEnd(5_000, '\n'))
    await utimes(own.NUMERA_BANKID_CERTIFICATE_FILE, 1_700_000_000, 1_700_000_000)
  }
  await file('pace.key', next.keyPem)
  await put('nothing')
  expect((await poll()).state).toBe('pending')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toHaveLength(1)
  await put(next.certificatePem)
  expect((await poll()).state).toBe('pending')
  clock.advance(59_000)
  expect((await poll()).state).toBe('pending')
  clock.advance(1_000)
  expect(await poll()).toMatchObject({ state: 'complete', person: tolvan })
})

test('a new file that cannot be used is logged once, and the old certificate stays in use', async () => {
  const clock = createTestClock()
  const own = await asOwnPem('pem')
  await using bankid = open(own, clock)
  const readCurrentName = async (): Promise<string> => {
    clock.advance(60_000)
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  const next = await standIn.createRelyingParty({ name: 'Next of two' })
  await file('pem.pem', next.certificatePem)
  expect(await readCurrentName()).toBe('Numera')
  expect(await readCurrentName()).toBe('Numera')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toEqual([
    expect.stringContaining('NUMERA_BANKID_KEY_FILE has a key that does not belong to the certificate'),
  ])
  await file('pem.key', next.keyPem)
  expect(await readCurrentName()).toBe('Next of two')
  await copyFile(standIn.files.certificate, own.NUMERA_BANKID_CERTIFICATE_FILE)
  await rm(own.NUMERA_BANKID_KEY_FILE)
  expect(await readCurrentName()).toBe('Next of two')
})

test('a folder that can no longer be read is logged, and the old certificate stays in use', async () => {
  const inside = await mkdtemp(join(folder, 'unreadable-'))
  const path = join(inside, 'one.p12')
  await copyFile(standIn.files.pkcs12, path)
  const clock = createTestClock()
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }, clock)
  const readCurrentName = async (): Promise<string> => {
    clock.advance(60_000)
    const { presentation } = await bankid.startSignIn(origin)
    return standIn.phone.scan(presentation.qrText!).relyingPartyName
  }
  // A loop of links cannot be read by root either.
  await rm(inside, { recursive: true })
  await symlink(inside, inside)
  expect(await readCurrentName()).toBe('Numera')
  expect(await readCurrentName()).toBe('Numera')
  expect(scene.logged.filter((line) => line.includes('the old ones remain'))).toEqual([
    expect.stringContaining('NUMERA_BANKID_CERTIFICATE_FILE cannot be read: ELOOP'),
  ])
  await rm(inside)
  await mkdir(inside)
  await writeFile(path, (await standIn.createRelyingParty({ name: 'Next of unreadable' })).pkcs12)
  expect(await readCurrentName()).toBe('Next of unreadable')
})

test('an expired certificate does not stop the start, and is replaced by a new file', async () => {
  const ended = await standIn.createRelyingParty({ name: 'Ended', notAfter: new Date(Date.now() - day) })
  const path = await file('one.p12', ended.pkcs12)
  const environment = { ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }
  expect(findProblems(environment)).toEqual([])
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
])('a new certificate that %s does not replace a valid one', async (_what, dates, why) => {
  const path = await file('two.p12', standIn.relyingParty.pkcs12)
  const clock = createTestClock()
  await using bankid = open({ ...asPkcs12, NUMERA_BANKID_CERTIFICATE_FILE: path }, clock)
  await file('two.p12', (await standIn.createRelyingParty({ name: 'Not now', ...dates })).pkcs12)
  clock.advance(60_000)
  const { presentation } = await bankid.startSignIn(origin)
  expect(standIn.phone.scan(presentation.qrText!).relyingPartyName).toBe('Numera')
  expect(scene.logged.join('')).toContain(why)
})

test('the end of the certificate is a metric, and the log warns of it daily from 30 days before', async () => {
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
