import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fault, receipt, type Received, startScriptedService } from '../../client/testing/scripted-service.ts'
import { openTerminal } from '../testing/terminal.ts'

const noSources = { status: 200, body: { sources: [], next_cursor: null } }

/** Answers a push by what it says. */
function answer({ body, path }: Received) {
  if (path === '/v1/sources') return noSources
  if (body.includes('refuse')) return fault(400, 'invalid_argument')
  return { status: 202, body: receipt }
}

test('each new file of a folder is sent once, when it has stopped growing, also after a restart', async () => {
  await using service = await startScriptedService(answer)
  await using terminal = await openTerminal(service)
  await terminal.run(['login', '--connection', '--url', service.url], 'nsk_secret')
  const folder = join(terminal.folder, 'out')
  await mkdir(folder)
  const write = (name: string, text: string) => writeFile(join(folder, name), `at,amount\n${text}\n`)
  await write('first.csv', '2026-11-22,1')
  await write('half.csv.part', '2026-11-22,1')
  await write('.hidden.csv', '2026-11-22,1')

  /** Watches for some polls, of which the clock makes no time; `between` happens after each. */
  const watch = async (polls: number, between: (poll: number) => Promise<void> = async () => {}) => {
    const interrupt = new AbortController()
    terminal.io.signal = interrupt.signal
    let poll = 0
    const { sleep } = service.clock
    terminal.io.clock = {
      ...service.clock,
      sleep: async (ms, signal) => {
        await sleep(ms, signal)
        await between(++poll)
        if (poll === polls) interrupt.abort()
      },
    }
    return terminal.run(['push', '--watch', folder])
  }
  const growing = join(folder, 'growing.csv')
  const first = await watch(10, async (poll) => {
    if (poll === 1) await write('refuse.csv', 'refuse')
    if (poll < 6) await appendFile(growing, poll === 1 ? 'at,amount\n' : `2026-11-22,${poll}\n`)
  })
  expect(first).toMatchObject({
    code: 0,
    err: expect.stringContaining('refuse.csv was refused and is not sent again'),
  })
  const bodies = () => service.received.filter(({ path }) => path === '/v1/ingest').map(({ body }) => body)
  expect(bodies()).toEqual([
    'at,amount\n2026-11-22,1\n',
    'at,amount\nrefuse\n',
    'at,amount\n2026-11-22,2\n2026-11-22,3\n2026-11-22,4\n2026-11-22,5\n',
  ])
  const journal = (await readFile(join(folder, '.numeractl-sent.jsonl'), 'utf8')).trim().split('\n')
  expect(journal.map((line) => JSON.parse(line))).toMatchObject([
    { file: 'first.csv', outcome: 'stored', artifact_ids: [receipt.artifact_id] },
    { file: 'refuse.csv', outcome: 'refused' },
    { file: 'growing.csv', outcome: 'stored' },
  ])

  await appendFile(growing, '2026-11-22,6\n')
  const second = await watch(5)
  expect(second.err).toContain('growing.csv has changed since it was sent')
  expect(bodies()).toHaveLength(3)
})

test('what could not be sent is sent when the service is back, and a refused credential ends the watch', async () => {
  let calls = 0
  await using service = await startScriptedService(({ path }) => {
    if (path === '/v1/sources') return noSources
    return ++calls < 40 ? fault(503, 'internal') : fault(401, 'unauthenticated')
  })
  await using terminal = await openTerminal(service)
  await terminal.run(['login', '--connection', '--url', service.url], 'nsk_secret')
  await writeFile(join(terminal.folder, 'orders.csv'), 'at,amount\n2026-11-22,1\n')
  expect(await terminal.run(['push', '--watch', terminal.folder])).toMatchObject({ code: 1, out: '' })
  expect(calls).toBe(40)
})
