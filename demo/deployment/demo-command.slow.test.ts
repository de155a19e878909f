import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markDemoFolder } from './demo-folder.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { runMain } from '../../testing/in-process/run-main.ts'

const listen = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test.each(['NUMERA_HTTP_PORT', 'NUMERA_METRICS_PORT'])(
  'a port that is in use is reported with its variable and what to do before a database or a folder is touched: %s',
  async (variable) => {
    const folder = await mkdtemp(join(tmpdir(), 'numera-demo-'))
    const dataFolder = join(folder, 'data')
    const taken = await listen()
    try {
      const { code, out, err } = await runMain(['demo', '--reset', '--yes'], {
        NUMERA_DATA_FOLDER: dataFolder,
        NUMERA_HTTP_PORT: String(await freePort()),
        NUMERA_METRICS_PORT: '0',
        [variable]: String(taken.port),
      })
      expect(err).toContain(`${variable}: port ${taken.port} of 127.0.0.1 is in use by another program; `)
      expect(err).toContain(
        variable === 'NUMERA_HTTP_PORT'
          ? 'npm start -- --port NUMBER'
          : 'set NUMERA_METRICS_PORT to another one',
      )
      expect({ code, out }).toEqual({ code: 1, out: '' })
      await expect(access(dataFolder)).rejects.toMatchObject({ code: 'ENOENT' })
    } finally {
      taken.server.close()
      await rm(folder, { recursive: true })
    }
  },
)

test.each(['master.key', 'postgres.password'])(
  'a demo without its %s is reported with what to do, and not changed',
  async (lost) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'numera-demo-'))
    try {
      await mkdir(join(dataFolder, 'postgres'))
      await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '18\n')
      await markDemoFolder({ dataFolder, embeddedDatabase: true })
      const key = Buffer.alloc(32).toString('base64url')
      for (const name of ['master.key', 'postgres.password'])
        if (name !== lost) await writeFile(join(dataFolder, name), `${key}\n`)
      const before = await readdir(dataFolder)
      const { code, out, err } = await runMain(['demo'], {
        NUMERA_DATA_FOLDER: dataFolder,
        NUMERA_HTTP_PORT: String(await freePort()),
        NUMERA_METRICS_PORT: '0',
      })
      expect(err).toContain(`${join(dataFolder, lost)} is missing, `)
      expect(err).toContain('npm start -- --reset')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(await readdir(dataFolder)).toEqual(before)
    } finally {
      await rm(dataFolder, { recursive: true })
    }
  },
)
