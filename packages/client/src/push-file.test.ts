import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InvalidKey } from './key.ts'
import { type FileSender, sendParts } from './push-file.ts'
import { BrokenFile } from './records.ts'
import { receipt, startScriptedService, stored } from '../testing/scripted-service.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-files-'))
})
afterEach(() => rm(folder, { recursive: true }))

const lines = (count: number): string =>
  `at,amount\n${Array.from({ length: count }, (_, at) => `2026-11-22,${at}\n`).join('')}`

const collect = () => {
  const sent: { key: string; text: string }[] = []
  const sender: FileSender = {
    nowMs: 0,
    findDelivers: async () => 'events',
    send: async (bytes, key) => {
      sent.push({ key, text: new TextDecoder().decode(bytes) })
      return { ...receipt, artifactId: 'a', replayed: false } as never
    },
  }
  return { sent, sender }
}

test.each(['path', 'address', 'blob', 'bytes', 'stream'])(
  'a file comes as a %s, in the same parts',
  async (kind) => {
    const content = lines(100)
    const path = join(folder, 'orders.csv')
    await writeFile(path, content)
    const inputs = {
      path,
      address: new URL(`file://${path}`),
      blob: new Blob([content]),
      bytes: new TextEncoder().encode(content),
      stream: new Blob([content]).stream() as never,
    }
    const { sent, sender } = collect()
    const options = { key: 'orders', partBytesMax: 500 }
    const parts = await Array.fromAsync(sendParts(inputs[kind as keyof typeof inputs], options, sender))
    expect(parts.map(({ rows }) => rows).reduce((sum, rows) => sum! + rows!, 0)).toBe(100)
    expect(parts.at(-1)).toMatchObject({ bytesSent: content.length, bytesTotal: content.length })
    expect(sent.map(({ key }) => key)).toEqual(
      sent.map((_, at) => `orders#${at + 1}/${sent[0]!.key.slice(-12)}`),
    )
    expect(sent.map(({ text }) => text.replace('at,amount\n', '')).join('')).toBe(
      content.replace('at,amount\n', ''),
    )
    expect(sent.every(({ text }) => text.startsWith('at,amount\n') && text.length <= 500)).toBe(true)
  },
)

test('what is broken in the middle is said with its byte, and what went before stands', async () => {
  const content = `${lines(60)}2026-11-22,"never closed\n`
  const { sent, sender } = collect()
  const parts = sendParts(new Blob([content]), { key: 'orders', partBytesMax: 500 }, sender)
  const error = await Array.fromAsync(parts).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BrokenFile)
  expect(error).toMatchObject({ byte: content.indexOf('"') })
  expect(sent.length).toBeGreaterThan(0)
})

/** The later of two parts ends first. */
const overtaking = () => {
  const { sent, sender } = collect()
  let sending = 0
  let most = 0
  const send: FileSender['send'] = async (bytes, key) => {
    most = Math.max(most, ++sending)
    const answer = await sender.send(bytes, key)
    await setTimeout(sent.length % 2 === 1 ? 20 : 1)
    sending--
    return answer
  }
  return { sent, sender: { ...sender, send }, most: () => most }
}

describe('with several parts in flight', () => {
  const inFlight = 2
  test('receipts come in the order of the parts, and all of a broken file before its error', async () => {
    const content = `${lines(200)}2026-11-22,"never closed\n`
    const { sent, sender, most } = overtaking()
    const seen: number[] = []
    const push = async () => {
      const options = { key: 'orders', partBytesMax: 500, inFlight }
      for await (const { part } of sendParts(new Blob([content]), options, sender)) seen.push(part)
    }
    await expect(push()).rejects.toThrow(BrokenFile)
    expect(seen).toEqual(sent.map((_, at) => at + 1))
    const rows = sent.map(({ text }) => text.replace('at,amount\n', '')).join('')
    expect(lines(200)).toContain(`at,amount\n${rows}`)
    expect(most()).toBe(inFlight)
  })

  test('a refusal is thrown, and not what became of the part behind it', async () => {
    const { sent, sender } = collect()
    const send: FileSender['send'] = async (bytes, key) => {
      await sender.send(bytes, key)
      const part = sent.length
      await setTimeout(part === 2 ? 10 : 1)
      throw new Error(`part ${part}`)
    }
    const options = { key: 'orders', partBytesMax: 500, inFlight }
    const push = sendParts(new Blob([lines(200)]), options, { ...sender, send })
    await expect(Array.fromAsync(push)).rejects.toThrow('part 1')
  })

  test('none is refused before anything is sent', async () => {
    const { sent, sender } = collect()
    const push = sendParts(new Blob([lines(1)]), { key: 'orders', inFlight: 0 }, sender)
    await expect(Array.fromAsync(push)).rejects.toThrow(RangeError)
    expect(sent).toEqual([])
  })

  test('statements that may be cut are sent one after the other', async () => {
    const { sender, most } = overtaking()
    const options = { key: 'orders', partBytesMax: 500, allowSplit: true, inFlight }
    await Array.fromAsync(sendParts(new Blob([lines(200)]), options, sender))
    expect(most()).toBe(1)
  })
})

test('a file that grows while it is sent is no more sent', async () => {
  const path = join(folder, 'orders.csv')
  await writeFile(path, lines(200_000))
  const { sent, sender } = collect()
  const send: FileSender['send'] = async (bytes, key) => {
    await appendFile(path, '2026-11-22,1\n')
    return sender.send(bytes, key)
  }
  const parts = sendParts(path, { key: 'orders', partBytesMax: 1_100_000 }, { ...sender, send })
  await expect(Array.fromAsync(parts)).rejects.toThrow(/changed/)
  expect(sent).toHaveLength(1)
})

test('keys that a header cannot have, or that leave no space for the part, are refused', async () => {
  const { sent, sender } = collect()
  const push = (key: string) =>
    Array.fromAsync(sendParts(new Blob([lines(100)]), { key, partBytesMax: 500 }, sender))
  for (const key of ['Malmö', ' k', 'x'.repeat(181)]) await expect(push(key), key).rejects.toThrow(InvalidKey)
  expect(sent).toEqual([])
})

async function* stream() {
  yield new TextEncoder().encode(lines(3))
}

test('a stream leaves no copy behind', async () => {
  const before = new Set(await readdir(tmpdir()))
  await using service = await startScriptedService(stored)
  await Array.fromAsync(service.client().pushFile(stream(), { key: 'orders' }))
  const left = (await readdir(tmpdir())).filter(
    (name) => name.startsWith('numera-client-') && !before.has(name),
  )
  expect(left).toEqual([])
})
