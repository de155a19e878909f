import { createHash, randomBytes } from 'node:crypto'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Authority } from '../../../stand-ins/bankid/authority.ts'
import { createCompletionData, type Tampering } from '../../../stand-ins/bankid/completion.ts'
import { systemClock, type TestClock } from '../../platform/clock/clock.ts'
import { writeBankIdEvidence, type BankIdEvidence } from '../../people/identity/bankid/evidence/evidence.ts'
import { toSimpleMarkdown } from '../../people/identity/bankid/simple-markdown.ts'
import { verifiedSignaturesBatchMax } from '../../people/identity/stored-signatures.ts'
import { insertSignature } from '../../people/identity/queries.ts'
import { sealedSignatures } from '../../people/identity/sealed-tables.ts'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'
import { seedCompany, seedConnection, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { namedFailuresMax } from './signature-commands.ts'

const text = 'Allow Räknestugan\n- read sales\n- read *orders*'
const record = '{"allowed":["sales","orders"],"app":"Räknestugan"}'

let database: TestDatabase
let context: TestContext
let authority: Authority
let scene: SeededCompany
let folder: string
let rootsFile: string
beforeAll(async () => {
  database = await createTestDatabase()
  // A command has the machine's time.
  context = createTestContext(database.pool, { clock: systemClock as TestClock })
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
  authority = new Authority()
  scene = await seedCompany(context)
  folder = await mkdtemp(join(tmpdir(), 'numera-signatures-'))
  rootsFile = join(folder, 'roots.pem')
  await writeFile(rootsFile, (await authority.signingRoot()).certificate.toString())
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

/** What a command prints, or its error message. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
const run = async (...args: string[]): Promise<any> => {
  const { out, err } = await runOperatorCommand(['signature', ...args, '--json'])
  return err === '' ? JSON.parse(out) : err.split('\n')[0]
}

interface Changes {
  tamper?: Tampering
  kind?: 'auth' | 'sign'
  person?: { personalNumber: string; name: string }
  evidence?: Partial<BankIdEvidence>
  stored?: Partial<{ visibleText: string; record: string; recordSha256: Buffer; evidenceSealed: Buffer }>
}

const sha256 = (content: string): Buffer => createHash('sha256').update(content).digest()

/** The evidence of a signature with BankID by the owner, just now. */
const getEvidence = async ({ tamper, kind = 'sign', person = scene.owner, evidence }: Changes = {}) => {
  const now = new Date()
  const completion = await createCompletionData(authority, {
    kind,
    person: { personalNumber: person.personalNumber, name: person.name },
    relyingParty: await authority.relyingParty(),
    visible: Buffer.from(toSimpleMarkdown(text)).toString('base64'),
    format: 'simpleMarkdownV1',
    nonVisible: sha256(record).toString('base64'),
    ipAddress: '192.0.2.7',
    at: now.getTime(),
    tamper,
  })
  return writeBankIdEvidence({
    bankid: '6.0',
    order_ref: '4820e3da-fbd7-45c0-aa1c-9d28d308c63b',
    completed_at: now.toISOString(),
    user: completion.user,
    device: completion.device,
    bank_id_issue_date: completion.bankIdIssueDate,
    risk: null,
    signature: completion.signature!,
    ocsp_response: completion.ocspResponse!,
    visible_text: toSimpleMarkdown(text),
    non_visible_data: sha256(record).toString('hex'),
    ...evidence,
  })
}

const store = async (evidence: string, stored: Changes['stored'] = {}): Promise<string> => {
  const signatureId = uuidv7(context.clock.now())
  await insertSignature.run(database.pool, {
    signatureId,
    memberId: scene.owner.memberId,
    companyId: scene.company.companyId,
    subject: 'consent:01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11',
    visibleText: text,
    record,
    recordSha256: sha256(record),
    provider: 'bankid',
    evidenceSealed: sealedSignatures.seal(context, { signature_id: signatureId }, evidence),
    signedAt: new Date(context.clock.now()),
    ...stored,
  })
  return signatureId
}

const signed = async (changes: Changes = {}): Promise<string> =>
  store(await getEvidence(changes), changes.stored)

const verify = (signatureId: string) => run('verify', '--signature', signatureId, '--roots', rootsFile)

const exportTo = (signatureId: string, target: string) =>
  run('export', '--signature', signatureId, '--folder', target, '--roots', rootsFile)

describe('verifying stored evidence', () => {
  test('a valid signature gives its time and certificate', async () => {
    const signatureId = await signed()
    const { code, out } = await runOperatorCommand([
      'signature',
      'verify',
      '--signature',
      signatureId,
      '--roots',
      rootsFile,
    ])
    expect(out).toMatch(new RegExp(`^${signatureId}: valid, signed at \\d{4}-.*Z\n$`))
    expect(code).toBe(0)
    expect(await verify(signatureId)).toEqual({
      signature_id: signatureId,
      outcome: 'verified',
      ocsp_at: expect.stringMatching(/Z$/),
      certificate_serial: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  test.each<[string, Changes, string]>([
    ['the signature', { tamper: 'signature' }, 'wrong_signature'],
    ['a certificate that was revoked', { tamper: 'certificate-revoked' }, 'revoked_certificate'],
    ['a root that is not ours', { tamper: 'other-root' }, 'untrusted_certificate'],
    ['a sign-in', { kind: 'auth' }, 'other_function'],
    ['another text', { tamper: 'text' }, 'other_text'],
    ['another hash', { tamper: 'hash' }, 'other_record'],
    ['another requested text', { evidence: { visible_text: 'Another' } }, 'other_text'],
    ['another requested record', { evidence: { non_visible_data: 'a'.repeat(64) } }, 'other_record'],
    [
      'a person who is not the member',
      { person: { personalNumber: '197001011233', name: 'A B' } },
      'other_person',
    ],
    ['another person than BankID said', { tamper: 'person' }, 'other_person'],
    ['a text that was changed in the database', { stored: { visibleText: `${text}!` } }, 'other_text'],
    [
      'a record that was changed in the database',
      { stored: { record: '{}', recordSha256: sha256('{}') } },
      'other_record',
    ],
    ['a hash that is not the record’s', { stored: { recordSha256: sha256('{}') } }, 'other_record'],
    ['evidence of another form', { evidence: { bankid: '5.1' as '6.0' } }, 'malformed_evidence'],
    ['evidence that does not open', { stored: { evidenceSealed: Buffer.alloc(0) } }, 'unreadable_evidence'],
  ])('an invalid signature is reported: %s', async (_what, changes, reason) => {
    const evidence = await getEvidence(changes)
    const stored = { ...changes.stored }
    if (stored.evidenceSealed !== undefined) {
      stored.evidenceSealed = sealedSignatures.seal(context, { signature_id: 'of-another' }, evidence)
    }
    const signatureId = await store(evidence, stored)
    expect(await verify(signatureId)).toEqual({ signature_id: signatureId, outcome: 'not_verified', reason })
    const { code, out } = await runOperatorCommand([
      'signature',
      'verify',
      '--signature',
      signatureId,
      '--roots',
      rootsFile,
    ])
    expect(out).toBe(`${signatureId}: invalid: ${reason}\n`)
    expect(code).toBe(1)
  })

  test('a signature with the demo identity proves nothing and is not exported', async () => {
    const { company, owner } = await seedCompany(context)
    await seedConnection(context, { owner, company })
    const { signatures } = await run('list', '--company', company.orgnr)
    expect(signatures).toMatchObject([{ provider: 'demo', member_id: owner.memberId }])
    const { signature_id: id } = signatures[0]
    expect(await run('verify', '--signature', id)).toEqual({ signature_id: id, outcome: 'proves_nothing' })
    const told = 'a signature with the demo identity, which proves nothing'
    expect((await runOperatorCommand(['signature', 'verify', '--signature', id])).out).toBe(
      `${id}: ${told}\n`,
    )
    expect(await run('export', '--signature', id, '--folder', join(folder, 'demo'))).toBe(
      `It is ${told}: there is nothing to export.`,
    )
  })

  test('all signatures are verified in batches, and a limited number of invalid ones is listed', async () => {
    const { company, owner } = await seedCompany(context)
    await seedConnection(context, { owner, company })
    const before = await run('verify', '--all', '--roots', rootsFile)
    const [good, bad] = [await getEvidence(), await getEvidence({ tamper: 'certificate-revoked' })]
    const many = verifiedSignaturesBatchMax + 5
    const ids: string[] = []
    for (let count = 0; count < many; count++) ids.push(await store(bad))
    for (let count = 0; count < 3; count++) await store(good)
    const after = await run('verify', '--all', '--roots', rootsFile)
    expect(after).toMatchObject({
      verified: before.verified + 3,
      not_verified: before.not_verified + many,
      proves_nothing: before.proves_nothing,
    })
    expect(before.proves_nothing).toBeGreaterThan(0)
    expect(after.failures).toHaveLength(namedFailuresMax)
    expect(ids).toContain(after.failures.at(-1).signature_id)
    const { code, out } = await runOperatorCommand(['signature', 'verify', '--all', '--roots', rootsFile])
    expect(code).toBe(1)
    expect(out).toMatch(new RegExp(`and ${before.not_verified + many - namedFailuresMax} more\n`))
    expect(out).toMatch(new RegExp(`${after.proves_nothing} are from the demo identity`))
  })

  test('a signature that cannot be verified is reported in a sentence', async () => {
    const id = '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'
    expect(await verify(id)).toBe('There is no signature with this id.')
    expect(await run('show', '--signature', id)).toBe('There is no signature with this id.')
    expect(await run('verify')).toBe('Give either --signature or --all.')
    expect(await run('verify', '--signature', id, '--all')).toBe('Give either --signature or --all.')
    const signatureId = await signed()
    expect(await run('verify', '--signature', signatureId)).toBe(
      'BankID is not configured here: give the file of its root certificates with --roots.',
    )
    const missing = join(folder, 'missing.pem')
    expect(await run('verify', '--signature', signatureId, '--roots', missing)).toBe(
      '--roots cannot be read: ENOENT.',
    )
    const key = join(folder, 'no.pem')
    await writeFile(key, randomBytes(20))
    expect(await run('verify', '--signature', signatureId, '--roots', key)).toBe(
      '--roots must have certificates as PEM.',
    )
  })
})

test('an operator lists signatures by page, with what was signed but not by whom', async () => {
  const { company, owner } = await seedCompany(context)
  for (let count = 0; count < 3; count++) await seedConnection(context, { owner, company })
  const first = await run('list', '--company', company.orgnr, '--limit', '2')
  expect(first.signatures).toHaveLength(2)
  const rest = await run('list', '--company', company.orgnr, '--cursor', first.next_cursor)
  expect(rest).toMatchObject({ signatures: [{ company_id: company.companyId }], next_cursor: null })
  const own = await run('list', '--personal-number', owner.personalNumber)
  expect(own.signatures).toEqual([...first.signatures, ...rest.signatures])
  expect(await run('list')).toBe('Give either --company or --personal-number.')

  const { out } = await runOperatorCommand([
    'signature',
    'show',
    '--signature',
    own.signatures[0].signature_id,
  ])
  expect(out).toMatch(/^signature_id: .*\nsigned_at: /)
  expect(out).toMatch(/\nvisible_text:\n {2}\S/)
  expect(out).toMatch(/\nrecord:\n {2}\{/)
  expect(out).not.toContain(owner.personalNumber)
  const shown = await run('show', '--signature', own.signatures[0].signature_id)
  expect(shown).toMatchObject({
    provider: 'demo',
    record: expect.any(Object),
    visible_text: expect.any(String),
  })
})

describe('exporting a signature', () => {
  test('needs a new or empty folder, which only the operator may read', async () => {
    const signatureId = await signed()
    const target = join(folder, 'new', 'export')
    const { out } = await runOperatorCommand([
      'signature',
      'export',
      '--signature',
      signatureId,
      '--folder',
      target,
      '--roots',
      rootsFile,
    ])
    expect(out).toContain(`Verify it with: sh ${target}/verify.sh`)
    expect(out).toContain('name and personal number')
    expect((await stat(target)).mode & 0o777).toBe(0o700)
    expect((await stat(join(target, 'signature.base64'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(target, 'record.json'), 'utf8')).toBe(record)
    expect(await exportTo(signatureId, target)).toBe(`${target} is not empty. Choose an empty or new folder.`)
  })

  test('refuses an invalid signature', async () => {
    const signatureId = await signed({ tamper: 'certificate-revoked' })
    const target = join(folder, 'bad')
    expect(await exportTo(signatureId, target)).toBe(
      'It is invalid: revoked_certificate. Nothing was written.',
    )
    await expect(stat(target)).rejects.toThrow('ENOENT')
  })

  const isHere = spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined

  test.skipIf(!isHere)(
    'lets openssl verify it, where it is installed, but not with one bit changed',
    async () => {
      const signatureId = await signed()
      const target = join(folder, 'openssl')
      const { files } = await exportTo(signatureId, target)
      expect((await readdir(target)).toSorted()).toEqual(files.toSorted())
      const verifyByOpenssl = async () => {
        try {
          const { stdout } = await promisify(execFile)('sh', [join(target, 'verify.sh')])
          return { code: 0, out: stdout, err: '' }
        } catch (error) {
          const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
          return { code, out: stdout, err: stderr }
        }
      }
      const verified = await verifyByOpenssl()
      expect(verified).toMatchObject({ code: 0, err: '' })
      expect(verified.out).toMatch(/^The signature holds\.\n/)
      expect(verified.out).toContain(`serialNumber=${scene.owner.personalNumber}`)

      // One of each kind: what was signed, the signature, the certificates, the OCSP response.
      for (const file of [
        'signed-data.xml',
        'signature-value.bin',
        'certificate-2.pem',
        'ocsp-response.der',
        'visible-text.txt',
        'record.json',
      ]) {
        const path = join(target, file)
        const bytes = await readFile(path)
        // In the middle, which is content in every file.
        const changed = Buffer.from(bytes)
        changed[Math.floor(bytes.length / 2)]! ^= 1
        await writeFile(path, changed)
        const { code, out } = await verifyByOpenssl()
        expect({ file, holds: out.includes('The signature holds') }).toEqual({ file, holds: false })
        expect(code).not.toBe(0)
        await writeFile(path, bytes)
      }
      expect((await verifyByOpenssl()).code).toBe(0)
    },
  )
})
