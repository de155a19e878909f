import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fault, type Reply, startScriptedService, stored } from '../../client/testing/scripted-service.ts'
import { openTerminal } from '../testing/terminal.ts'

test('the vectors that are printed are those of the guide', async () => {
  const guide = new URL('../../../docs/guides/webhook-test-vectors.json', import.meta.url)
  const known = JSON.parse(await readFile(guide, 'utf8')) as { t: number; body?: string; v1: string }[]
  await using terminal = await openTerminal()
  const { code, out } = await terminal.run(['webhook', 'vectors', '--json'])
  expect(code).toBe(0)
  const printed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(printed.length).toBeGreaterThan(1)
  for (const { body, secret, signature } of printed) {
    const { t, v1 } = known.find(
      (vector) => vector.body === body && 'secret' in vector && vector.secret === secret,
    )!
    expect(signature).toBe(`t=${t},v1=${v1}`)
  }
})

test.each<[string, Reply[], number, number]>([
  ['is stored, and not sent again', [stored], 0, 1],
  [
    'is sent again after 429, 503 and a cut connection',
    [fault(429, 'rate_limited'), fault(503, 'internal'), 'cut', stored],
    0,
    4,
  ],
  ['stops at another type', [fault(415, 'unsupported_media_type')], 1, 1],
  ['stops at a paused source', [fault(409, 'source_paused')], 1, 1],
])('a webhook %s', async (_, replies, code, attempts) => {
  await using service = await startScriptedService(...replies)
  await using terminal = await openTerminal(service)
  const path = join(terminal.folder, 'order.json')
  await writeFile(path, '{"order":1001}')
  const words = ['webhook', 'send', path, '--source', 'source-1', '--url', service.url]
  expect(await terminal.run(words, 'nws_secret\n')).toMatchObject({ code })
  const sent = service.received.map(({ headers }) => [
    headers['service-delivery-id'],
    headers['service-signature'],
  ])
  expect(sent).toHaveLength(attempts)
  expect(new Set(sent.map(([id]) => id)).size).toBe(1)
  expect(new Set(sent.map(([, signature]) => signature)).size).toBe(attempts)
})
