import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openContext } from './open-context.ts'

test.each(['bankid', 'oidc'])(
  'NUMERA_IDENTITY=%s, which this version has not, is refused before a database or a folder is made',
  async (provider) => {
    const folder = await mkdtemp(join(tmpdir(), 'numera-identity-'))
    const dataFolder = join(folder, 'data')
    try {
      for (const shared of [false, true]) {
        const opening = openContext({
          name: 'test',
          shared,
          environment: { NUMERA_IDENTITY: provider, NUMERA_DATA_FOLDER: dataFolder },
        })
        await expect(opening).rejects.toThrow(`NUMERA_IDENTITY names ${provider}`)
        await expect(access(dataFolder)).rejects.toMatchObject({ code: 'ENOENT' })
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
