import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from './guides/page.ts'
import { preparePrograms, type Programs } from './guides/programs.ts'
import { openTerminal } from './guides/run-page.ts'

// The guides' functions that wait for a delivery end with every answer of the service.

let folder: string
let programs: Programs
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-guides-'))
  programs = await preparePrograms(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** The functions of a page, without the commands that call them. */
const readFunctions = async (path: string): Promise<string> => {
  const { blocks } = readPage(path, await readFile(join(import.meta.dirname, '..', path), 'utf8'))
  const functions = blocks.flatMap(({ role, text }) =>
    role === 'run' ? Array.from(text.matchAll(/^\w+\(\) \{\n.*?^\}\n/gms), ([each]) => each) : [],
  )
  return functions.join('')
}

const receipt = '{"artifact_id":"01a20760-7390-77bd-b2b5-1fcd68d0f8e0","status":"queued"}'
const refusal = '{"code":"key_reused","request_id":"01a20760-7390-77bd-b2b5-1fcd68d0f8e0"}'
const pages = [
  {
    path: 'docs/guides/push.md',
    call: `curl -s "$NUMERA/v1/ingest" -d x >receipt.json; parsed receipt.json`,
  },
  { path: 'docs/guides/samples.md', call: `push "$CREDENTIAL" '{}'` },
]
const answers = [
  { what: 'a push that is refused', push: refusal, report: '', told: refusal },
  {
    what: 'a report that is refused',
    push: receipt,
    report: '{"code":"internal"}',
    told: '{"code":"internal"}',
  },
  {
    what: 'a delivery that cannot be read',
    push: receipt,
    report: '{"state":"unreadable"}',
    told: '{"state":"unreadable"}',
  },
  {
    what: 'a delivery that stays queued',
    push: receipt,
    report: '{"state":"queued"}',
    told: '{"state":"queued"}',
  },
]

test.concurrent.each(pages.flatMap((page) => answers.map((answer) => ({ ...page, ...answer }))))(
  '$path stops at $what, and shows the answer',
  async ({ path, call, push, report, told }) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end(request.url === '/v1/ingest' ? push : report))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const NUMERA = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await using terminal = await openTerminal({ environment: { NUMERA, CREDENTIAL: 'nsk_x' } }, programs, [])
    // Pauses are skipped; only the number of attempts matters.
    const { code, out, err } = await terminal.run(`sleep() { :; }\n${await readFunctions(path)}${call}\n`)
    expect({ code, said: `${out}${err}`.trim() }).toEqual({ code: 1, said: told })
    server.close()
  },
)
