import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openContext } from './open-context.ts'

test.each([
  ['bankid', ['NUMERA_BANKID_CERTIFICATE_FILE']],
  ['oidc', ['NUMERA_OIDC_ISSUER', 'NUMERA_OIDC_CLIENT_SECRET']],
  ['oidc+bankid', ['NUMERA_OIDC_PERSONAL_NUMBER_CLAIM', 'NUMERA_BANKID_ROOTS_FILE']],
])(
  'NUMERA_IDENTITY=%s without what it needs is refused before a database or a folder is made',
  async (provider, named) => {
    const folder = await mkdtemp(join(tmpdir(), 'numera-identity-'))
    const dataFolder = join(folder, 'data')
    try {
      for (const shared of [false, true]) {
        const opening = openContext({
          name: 'test',
          shared,
          environment: { NUMERA_IDENTITY: provider, NUMERA_DATA_FOLDER: dataFolder },
        })
        const refusal = (await opening.catch((error: unknown) => error)) as Error
        for (const variable of named) expect(refusal.message).toContain(variable)
        await expect(access(dataFolder)).rejects.toMatchObject({ code: 'ENOENT' })
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
