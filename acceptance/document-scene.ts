import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { readPageFiles } from './guides/page-files.ts'
import { readSamples, type Receipt, waitUntilRead } from '../testing/process/numera-api.ts'
import { connectSource } from '../testing/process/company.ts'
import { openShop, type Shop } from '../testing/process/shop.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

export const readGuideFile = await readPageFiles('docs/guides/push.md')
/** Every kind of record of the format. */
export const exampleSie = await readFile(join(import.meta.dirname, '../testing/cases/example.se'), 'utf8')

/** A source of the guide, and how to push to it and read it. */
export interface DocumentSource {
  credential: string
  push(file: string): Promise<Finished>
  /** Pushes a file and waits until it has been parsed. */
  pushParsed(file: string): Promise<Receipt>
  /** Each sample as its period, value and labels. */
  samples(): Promise<Record<string, string>[]>
}

interface Finished {
  code: number
  out: string
  err: string
}

/** A service, and the guide's script in a folder with curl. */
export interface DocumentScene {
  readonly service: Service
  /** The path of a file in the folder. */
  path: (name: string) => string
  /** Creates the source that a file of the guide declares: by the operator's commands, or else on the pages, which is quicker. */
  follow: (name: string, by?: 'operator' | 'pages') => Promise<DocumentSource>
  /** Runs the script, with another curl if `curl` is a shell command. */
  runScript: (args: string[], curl?: string) => Promise<Finished>
}

const putCurl = async (bin: string, command: string): Promise<void> => {
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'curl'), `#!/bin/sh\n${command}\n`)
  await chmod(join(bin, 'curl'), 0o755)
}

/** Starts the scene for the tests of a file. */
export const documentSceneForTests = (): DocumentScene => {
  let folder: string
  let service: Service
  let shop: Shop
  const path = (name: string): string => join(folder, name)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'numera-documents-'))
    await writeFile(path('push-document.sh'), readGuideFile('push-document.sh'))
    await mkdir(path('bin'))
    try {
      execFileSync('sh', ['-c', 'command -v curl'])
    } catch {
      await putCurl(
        path('bin'),
        `exec "${process.execPath}" "${join(import.meta.dirname, 'curl-stand-in.ts')}" "$@"`,
      )
    }
    service = await startService()
    shop = await openShop(service)
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  let curls = 0
  const runScript: DocumentScene['runScript'] = async (args, curl) => {
    const bin = curl === undefined ? path('bin') : path(`bin-${++curls}`)
    if (curl !== undefined) await putCurl(bin, curl)
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
    return new Promise((resolve) => {
      execFile('sh', [path('push-document.sh'), ...args], { env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
    })
  }

  const connect = async (name: string, by: 'operator' | 'pages'): Promise<string> => {
    const declaration = readGuideFile(name)
    if (by === 'pages') {
      const { name: _name, ...rest } = JSON.parse(declaration)
      return (await shop.connect({ source_id: await shop.createSource(rest) })).credential
    }
    await writeFile(path('declaration.json'), declaration)
    return (await connectSource(service, shop.company, path('declaration.json'))).credential
  }

  return {
    get service() {
      return service
    },
    path,
    runScript,
    follow: async (name, by = 'pages') => {
      const credential = await connect(name, by)
      const authorization = path(`authorization-${name}`)
      await writeFile(authorization, `Authorization: Bearer ${credential}\n`)
      const push = (file: string) => runScript([service.url, authorization, file])
      return {
        credential,
        push,
        pushParsed: async (file) => {
          const { code, out, err } = await push(file)
          expect([code, err]).toEqual([0, ''])
          const receipt = JSON.parse(out) as Receipt
          await waitUntilRead(service.url, credential, receipt.artifact_id)
          return receipt
        },
        samples: async () => {
          const { samples } = await readSamples(service.url, credential, {
            from: '2026-01-01',
            to: '2027-01-01',
          })
          return samples.map(({ period_start, value, labels }) => ({ period_start, value, ...labels }))
        },
      }
    },
  }
}
