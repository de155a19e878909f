/**
 * What the outbox of numera-client takes in: batches of 100 rows, one `put` after the other and eight at a time, and how long one
 * `put` takes, against appending the same bytes to a file and syncing it.
 *
 *   node bench/clients/outbox.ts [puts]
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFor } from 'numera-client'
import { Outbox } from 'numera-client/outbox'
import { Figures, print, printTarget, timed } from '../figures.ts'

const puts = Number(process.argv[2] ?? 2000)
const rowsPerPut = 100
const rounds = 5
const rows = Array.from({ length: rowsPerPut }, (_, n) => ({
  at: '2026-05-11T09:30:00+02:00',
  amount: `${n}.50`,
  country: 'SE',
  order: `order-${n}`,
}))
const bytes = Buffer.from(JSON.stringify(rows))
const figures = new Figures()
const folder = await mkdtemp(join(tmpdir(), 'numera-outbox-bench-'))

const measure = async (name: string, atATime: number, run: (n: number) => Promise<void> | void) => {
  const durationsMs: number[] = []
  let next = 0
  const feed = async (): Promise<void> => {
    for (let n = next++; n < puts; n = next++) durationsMs.push(await timed(() => run(n)))
  }
  const ms = await timed(() => Promise.all(Array.from({ length: atATime }, feed)))
  durationsMs.sort((a, b) => a - b)
  figures.add(`${name}: rows a second`, (puts * rowsPerPut * 1000) / ms)
  figures.add(`${name}: p50 ms`, durationsMs[Math.floor(puts * 0.5)]!)
  figures.add(`${name}: p99 ms`, durationsMs[Math.floor(puts * 0.99)]!)
}

for (let round = 0; round < rounds; round++) {
  for (const atATime of [1, 8]) {
    const outbox = new Outbox(join(folder, `${round}-${atATime}.outbox`))
    await measure(`put, ${atATime} at a time`, atATime, (n) =>
      outbox.put(rows, { key: keyFor('batch', n), shapeVersion: 1 }),
    )
    await outbox.close()
  }
  const file = openSync(join(folder, `${round}.log`), 'w')
  await measure('append and fdatasync', 1, () => {
    writeSync(file, bytes)
    fdatasyncSync(file)
  })
  closeSync(file)
}
await rm(folder, { recursive: true })

print(`${puts} puts of ${rowsPerPut} rows, ${bytes.length} bytes; medians of ${rounds} rounds`)
for (const name of ['put, 1 at a time', 'put, 8 at a time', 'append and fdatasync']) {
  const [perSecond, p50, p99] = ['rows a second', 'p50 ms', 'p99 ms'].map((what) =>
    figures.median(`${name}: ${what}`),
  ) as [number, number, number]
  print(`${name}: ${Math.round(perSecond)} rows a second, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
}
printTarget(
  'outbox: rows a second in batches of 100, one `put` after the other',
  figures.median('put, 1 at a time: rows a second'),
  { atLeast: 20_000 },
)
printTarget('outbox: one `put`, p50', figures.median('put, 1 at a time: p50 ms'), { atMost: 5 }, ' ms')
