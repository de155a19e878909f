/**
 * Single pushes through numera-client, compared with bare fetch, and through the Python client, compared with bare http.client; and
 * read_metric of the tools for assistants, compared with the same GET /v1/samples. One call after the other, in turns, at a service in a
 * process of its own.
 *
 *   node bench/clients/calls.ts [calls] [rounds]
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { keyFor, Numera } from 'numera-client'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { median, print, printTarget, timed } from '../figures.ts'
import { fillParsed, openShop, startDeployment } from '../samples/deployment.ts'
import { freePort } from '../../testing/process/free-port.ts'

const [calls = 2_000, rounds = 5] = process.argv.slice(2).map(Number)
const row = { at: '2026-05-11T09:30:00+02:00', amount: '249.50', country: 'SE' }

await using deployment = await startDeployment()
const shop = await openShop(deployment.context, {}, 1)
await fillParsed(deployment.pool, shop, 2_000, 731)
await deployment.pool.query('analyze')
const credential = shop.credential
const folder = await mkdtemp(join(tmpdir(), 'numera-bench-clients-'))
const port = await freePort()
const service = await start(serveArguments, port, serveEnvironment(deployment.url, folder, port))
const url = `http://127.0.0.1:${port}`
const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }

const bare = async (path: string, body?: object): Promise<unknown> => {
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}${path}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return JSON.parse(text)
}

/** @returns milliseconds of a call */
const measure = async (name: string, call: (id: string) => Promise<unknown>): Promise<number> => {
  const ms = await timed(async () => {
    for (let n = 0; n < calls; n++) await call(`${name} ${n}`)
  })
  return ms / calls
}

/** The median of a round's time of `ours` over that of `rival`, and each one's time for a call in milliseconds. */
const compare = async (
  ours: (id: string) => Promise<unknown>,
  rival: (id: string) => Promise<unknown>,
): Promise<{ ratio: number; oursMs: number; rivalMs: number }> => {
  // Compiles both.
  await measure('first ours', ours)
  await measure('first rival', rival)
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push([await measure(`ours ${round}`, ours), await measure(`rival ${round}`, rival)])
  }
  return toRatio(pairs)
}
const toRatio = (pairs: readonly (readonly [number, number])[]) => ({
  ratio: median(pairs.map(([ours, rival]) => ours / rival)),
  oursMs: median(pairs.map(([ours]) => ours)),
  rivalMs: median(pairs.map(([, rival]) => rival)),
})
const report = (
  name: string,
  { ratio, oursMs, rivalMs }: ReturnType<typeof toRatio>,
  atMost: number,
): void => {
  print(`${name}: ${oursMs.toFixed(3)} ms against ${rivalMs.toFixed(3)} ms`)
  printTarget(name, ratio, { atMost }, ' times')
}

try {
  const numera = new Numera({ baseUrl: url, credential })
  const pushed = await compare(
    (id) => numera.push([row], { key: keyFor('client', id), shapeVersion: 1 }),
    (id) => bare('/v1/ingest', { idempotency_key: keyFor('bare', id), shape_version: 1, payload: [row] }),
  )
  const python = await promisify(execFile)(
    'python3',
    [join(import.meta.dirname, 'pushes.py'), String(port), credential, String(calls), String(rounds)],
    { env: { ...process.env, PYTHONPATH: join(import.meta.dirname, '../../packages/python/src') } },
  )
  const pairs = python.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as number[]).map((seconds) => (seconds * 1000) / calls))
  const days = { from: '2026-01-01', to: '2026-01-31' }
  const window = new URLSearchParams({ ...days, metric: 'revenue' })
  const revision = '2026-07-28'
  const meta = {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: 'bench', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  }
  const [method, name] = ['tools/call', 'read_metric']
  const params = { name, arguments: { metric: 'revenue', ...days }, _meta: meta }
  const mcp = {
    ...headers,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    'mcp-name': name,
  }
  const read = await compare(
    async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const text = await (await fetch(`${url}/mcp`, { method: 'POST', headers: mcp, body })).text()
      if (!text.includes('"periods"')) throw new Error(text)
    },
    () => bare(`/v1/samples?${window}`),
  )
  print(`${calls} calls, medians of ${rounds} rounds`)
  report('a push through numera-client, against bare fetch', pushed, 1.15)
  report(
    'a push through the Python client, against bare http.client',
    toRatio(pairs as [number, number][]),
    1.25,
  )
  report('read_metric, against the same GET /v1/samples', read, 1.3)
} finally {
  await stop(service)
  await rm(folder, { recursive: true, force: true })
}
