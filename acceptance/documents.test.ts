import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../testing/process/call.ts'
import { readPageFiles } from './guides/page-files.ts'
import { readSamples, type Receipt, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { connectSource } from '../testing/process/company.ts'
import { openShop, type Shop } from '../testing/process/shop.ts'

const fileOf = await readPageFiles('docs/guides/push.md')
/** Every kind of record of the format. */
const exampleSie = await readFile(join(import.meta.dirname, '../testing/cases/example.se'), 'utf8')

let folder: string
let script: string
let tools: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-documents-'))
  script = join(folder, 'push-document.sh')
  await writeFile(script, fileOf('push-document.sh'))
  tools = join(folder, 'bin')
  await mkdir(tools)
  try {
    execFileSync('sh', ['-c', 'command -v curl'])
  } catch {
    await putCurl(`exec "${process.execPath}" "${join(import.meta.dirname, 'curl-stand-in.ts')}" "$@"`)
  }
})
afterAll(() => rm(folder, { recursive: true }))

const putCurl = async (text: string, into = tools): Promise<void> => {
  await mkdir(into, { recursive: true })
  await writeFile(join(into, 'curl'), `#!/bin/sh\n${text}\n`)
  await chmod(join(into, 'curl'), 0o755)
}

const runScript = (args: string[], bin = tools): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
    execFile('sh', [script, ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

test.each([
  [202, 0],
  [400, 1],
  [409, 1],
  [413, 1],
  [408, 75],
  [429, 75],
  [503, 75],
  ['000', 75],
])('the script, answered with %s, ends with %i', async (status, code) => {
  const bin = join(folder, String(status))
  await putCurl(`printf %s ${status}; test ${status} != 000`, bin)
  const file = join(folder, 'file.csv')
  await writeFile(file, 'at\n')
  expect((await runScript(['http://127.0.0.1:1', file, file], bin)).code).toBe(code)
})

describe('A file is pushed as its guide says', () => {
  let service: Service
  let shop: Shop
  beforeAll(async () => {
    service = await startService()
    shop = await openShop(service)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  /** The declarations that were made as an operator makes them. */
  const declared = new Set<string>()

  /** Makes what a file declares by the operator's commands; after that on the company's pages, which is quicker. */
  const connect = async (name: string): Promise<string> => {
    const declaration = fileOf(name)
    if (declared.has(name)) {
      const { name: _name, ...again } = JSON.parse(declaration)
      return (await shop.connect({ source_id: await shop.createSource(again) })).credential
    }
    declared.add(name)
    const file = join(folder, 'declaration.json')
    await writeFile(file, declaration)
    return (await connectSource(service, shop.company, file)).credential
  }

  /** Makes the source that the guide declares in a file, and gives what pushes a file to it and reads it back. */
  const follow = async (name: string) => {
    const credential = await connect(name)
    const authorization = join(folder, `authorization-${name}`)
    await writeFile(authorization, `Authorization: Bearer ${credential}\n`)
    return {
      credential,
      push: (file: string) => runScript([service.url, authorization, file]),
      pushRead: async (file: string): Promise<Receipt> => {
        const { code, out, err } = await runScript([service.url, authorization, file])
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
  }

  test('a nightly CSV file, which the next one replaces', async () => {
    const { push, pushRead, samples } = await follow('sales.json')
    const csv = fileOf('sales.csv')
    const file = join(folder, 'sales.csv')
    await writeFile(file, csv)
    const receipt = await pushRead(file)
    expect(receipt).toMatchObject({ dropped_keys: ['till'], delivers: 'statements' })
    const read = [
      { period_start: '2026-01-01', value: '1249.5', shop: 'Ekeby' },
      { period_start: '2026-01-01', value: '-80', shop: 'Norr "Torget"' },
    ]
    expect(await samples()).toEqual(read)

    expect(JSON.parse((await push(file)).out)).toEqual(receipt)
    await writeFile(file, `${csv}2026-02-01;Ekeby;7.25;1\n`)
    await pushRead(file)
    expect(await samples()).toEqual([{ period_start: '2026-02-01', value: '7.25', shop: 'Ekeby' }, ...read])

    // An export that says again what the first one said: the month of January once more, and February stays.
    await writeFile(file, csv.replace('1249.50', '1250.50'))
    await pushRead(file)
    await writeFile(file, csv)
    await utimes(file, new Date(), new Date(Date.now() + 2_000))
    expect((await pushRead(file)).artifact_id).not.toBe(receipt.artifact_id)
    expect(await samples()).toEqual([{ period_start: '2026-02-01', value: '7.25', shop: 'Ekeby' }, ...read])
  })

  test('a CSV file whose rows do not all fit is taken, and the rows that do not are named by line', async () => {
    const { credential, pushRead, push } = await follow('sales.json')
    const file = join(folder, 'bad.csv')
    await writeFile(
      file,
      'date;amount\n2026-01-15;1\n\n2026-02-30;2\n"2026-01-15\n";3\n2026-01-15;4;5\n2026-01-16;6\n',
    )
    const { artifact_id } = await pushRead(file)
    const { body } = await call(`${service.url}/v1/deliveries/${artifact_id}`, {
      headers: { authorization: `Bearer ${credential}` },
    })
    expect(body).toMatchObject({ state: 'parsed', rows_accepted: 2, rows_refused: 3 })
    expect(body.refusals.map(({ row, line }: { row: number; line: number }) => [row, line])).toEqual([
      [2, 4],
      [3, 5],
      [4, 7],
    ])

    await writeFile(file, 'date;amount\n2026-01-15;"1\n')
    const refused = await push(file)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('The CSV has a quote on line 2 that is never closed.')
  })

  const codePage437: Record<string, number> = { å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99 }

  test.each([
    ['as it is', (text: string) => Buffer.from(text)],
    [
      'in code page 437 with CRLF',
      (text: string) =>
        Buffer.from(Array.from(text.replaceAll('\n', '\r\n'), (c) => codePage437[c] ?? c.charCodeAt(0))),
    ],
  ])('a SIE export %s, which reads to the right revenue of each month', async (_, encode) => {
    const { pushRead, samples } = await follow('ledger.json')
    const file = join(folder, 'ledger.se')
    await writeFile(file, encode(exampleSie))
    expect(await pushRead(file)).toMatchObject({ dropped_keys: [] })
    // Newest first. In January 1000.50 and 7000.00; in February 2100.00, less 100.00 of discounts and a credit note of 500.25.
    expect(await samples()).toEqual([
      { period_start: '2026-03-01', value: '0.5' },
      { period_start: '2026-02-01', value: '1499.75' },
      { period_start: '2026-01-01', value: '8000.5' },
    ])
  })

  test('a SIE file that was cut off is refused with the line', async () => {
    const { push } = await follow('ledger.json')
    const file = join(folder, 'cut.se')
    await writeFile(file, exampleSie.slice(0, exampleSie.lastIndexOf('}')))
    const { code, err } = await push(file)
    expect(code).toBe(1)
    expect(err).toContain('The SIE file ends before what it began on line')
  })
})
