import { createPrivateKey } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { ConfigError } from '../../../src/platform/config/config-error.ts'
import { readConfig } from '../../../src/platform/config/read-config.ts'
import { openBankId } from '../../../src/people/identity/bankid/open-bankid.ts'
import { chooseElectronicIdentity } from '../../../src/people/identity/choose-electronic-identity.ts'
import { startBankIdScene } from './bankid-scene.ts'
import { createTestClock } from '../test-clock.ts'

export const day = 24 * 60 * 60_000

const findProblems = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    const { config, secrets } = readConfig(environment)
    chooseElectronicIdentity(config, secrets)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** BankID, and a folder for the files that connect the service with it. To be called while the file is read, at its top. */
export const startBankIdFilesScene = async () => {
  const scene = await startBankIdScene()
  const { standIn, context, database } = scene
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
  /** Copies of the PEM files, which a test may replace: `{name}.pem` and `{name}.key`. */
  const asOwnPem = async (name: string) => ({
    ...asPem,
    NUMERA_BANKID_CERTIFICATE_FILE: await file(`${name}.pem`, standIn.relyingParty.certificatePem),
    NUMERA_BANKID_KEY_FILE: await file(`${name}.key`, standIn.relyingParty.keyPem),
  })
  const asPkcs12 = { ...standIn.environment, NUMERA_IDENTITY: 'bankid' }

  const open = (environment: NodeJS.ProcessEnv, clock = createTestClock()) => {
    const { config, secrets } = readConfig(environment)
    return openBankId(config.bankid!, secrets, { ...context, clock }, { collectWaitMs: 20_000 })
  }
  const writeEncryptedKey = (): Promise<string> =>
    file(
      'encrypted.key',
      createPrivateKey(standIn.relyingParty.keyPem).export({
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'åäö',
      }) as string,
    )

  const setDue = () => database.pool.query('update bankid_orders set next_collect_at = now()')

  return {
    scene,
    standIn,
    context,
    database,
    folder,
    file,
    asPem,
    asOwnPem,
    asPkcs12,
    findProblems,
    open,
    writeEncryptedKey,
    setDue,
  }
}
