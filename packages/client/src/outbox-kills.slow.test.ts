import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Decimal } from './index.ts'
import { amountOf, sourceIds } from '../testing/outbox-connector.ts'
import {
  fault,
  receipt,
  type Received,
  type Reply,
  startScriptedService,
} from '../testing/scripted-service.ts'
import { Outbox, OutboxInUse } from './outbox.ts'

const kills = 50
/** While this connector puts, the disk is full, where a small one can be mounted. */
const killWhenFull = 25
const child = join(import.meta.dirname, '../testing/outbox-connector.ts')
const rate = { 'ratelimit-limit': '6000000', 'ratelimit-remaining': '100000', 'ratelimit-reset': '0' }

/** Stores by source and key, as the service does, and fails in every fashion. */
function createStore() {
  const bodies = new Map<string, string>()
  const conflicts: string[] = []
  let calls = 0
  const answer = ({ path, body }: Received): Reply => {
    calls++
    if (calls % 11 === 0) return 'cut'
    if (calls % 13 === 0) return fault(503, 'internal')
    const id = `${path.split('source_id=')[1]} ${JSON.parse(body).idempotency_key}`
    const before = bodies.get(id)
    if (before !== undefined && before !== body) conflicts.push(id)
    bodies.set(id, before ?? body)
    // Stored, but the sender does not learn it.
    if (calls % 7 === 0) return calls % 2 === 0 ? 'cut' : 'cut within'
    return { status: 202, headers: rate, body: receipt }
  }
  return { bodies, conflicts, answer }
}

/** Lays a small file system over a folder, which takes root. @returns whether it is there */
async function mountSmall(folder: string): Promise<boolean> {
  const mount = spawn('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'outbox', folder], { stdio: 'ignore' })
  const [code] = await once(mount, 'close').catch(() => [1])
  return code === 0
}

/** Takes the space of a file system until it is disposed of. */
async function fill(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  // The connector may take some of it first.
  await writeFile(path, Buffer.alloc(bavail * bsize)).catch(() => {})
  return { [Symbol.asyncDispose]: () => rm(path) }
}

test(`a connector that is killed ${kills} times loses nothing that was put, and nothing counts twice`, async () => {
  const home = await mkdtemp(join(tmpdir(), 'numera-outbox-kills-'))
  const folder = join(home, 'disk')
  await mkdir(folder)
  const isSmall = await mountSmall(folder)
  const path = join(folder, 'orders.outbox')
  const log = join(home, 'put.log')
  await writeFile(log, '')
  const { bodies, conflicts, answer } = createStore()
  await using service = await startScriptedService(answer)
  try {
    for (let kill = 0; kill < kills; kill++) {
      const connector = spawn(process.execPath, [child, path, service.url, log], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(connector.stdout, 'data')
      if (kill === 0) {
        await using other = new Outbox(path, { numera: service.client() })
        await expect(other.run()).rejects.toThrow(OutboxInUse)
      }
      // A slow machine has put something too before it is killed.
      const { size } = await stat(log)
      await vi.waitUntil(async () => (await stat(log)).size > size, { timeout: 10_000, interval: 5 })
      if (kill === killWhenFull && isSmall) {
        await using _ = await fill(folder)
        expect(String(await once(connector.stdout, 'data'))).toMatch(/^full/)
      }
      await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 200))
      connector.kill('SIGKILL')
      const [code, signal] = await once(connector, 'close')
      expect([code, signal]).toEqual([null, 'SIGKILL'])
    }
    await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
    await outbox.run(undefined, { untilEmpty: true })
    expect(outbox.failed()).toEqual([])

    const lines = (await readFile(log, 'utf8')).trim().split('\n')
    const put = new Set(lines)
    expect(put.size).toBeGreaterThan(kills)
    expect(lines.filter((id) => !bodies.has(id))).toEqual([])
    expect(conflicts).toEqual([])
    // What was stored without its `put` having returned is one of the orders too.
    let total = Decimal.from(0)
    for (const body of bodies.values())
      for (const { amount } of JSON.parse(body).payload) total = total.add(amount)
    const expected = Array.from(bodies.keys(), (id) => amountOf(Number(id.split(':')[1])))
    expect(total.toString()).toBe(expected.reduce((sum, amount) => sum + amount, 0n).toString())
    // In the sequence in which they were put: of orders that met a full disk together, a later one may be put first.
    for (const sourceId of sourceIds) {
      const isOfSource = (id: string): boolean => id.startsWith(sourceId)
      const stored = Array.from(bodies.keys()).filter((id) => isOfSource(id) && put.has(id))
      expect(stored).toEqual(Array.from(put).filter(isOfSource))
    }
  } finally {
    if (isSmall) await once(spawn('umount', [folder]), 'close')
    await rm(home, { recursive: true })
  }
})
