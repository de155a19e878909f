import { openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { keyFor, Numera } from '../src/index.ts'
import { Outbox, OutboxFull } from '../src/outbox.ts'

/*
 * A connector to be killed: puts orders of three sources, writes down each that was put, and sends. Started again, it begins at the first order
 * that it has not written down. On a full disk it says so, and tries again.
 *
 *   node outbox-connector.ts OUTBOX URL LOG
 */

export const sourceIds = [1, 2, 3].map((digit) => `0190a2b4-0000-7000-8000-00000000000${digit}`)
/** Of an order, in two rows. */
export const amountOf = (order: number): bigint => BigInt(order) * 3n

async function connect(path: string, url: string, log: string): Promise<void> {
  const numera = new Numera({
    baseUrl: url,
    credential: 'nsk_test',
    clock: {
      now: () => Date.now(),
      random: () => 0,
      sleep: () => setTimeout(2),
    },
  })
  const outbox = new Outbox(path, { numera })
  const done = openSync(log, 'a')
  const put = readFileSync(log, 'utf8').split('\n')
  const run = outbox.run()
  process.stdout.write('started\n')
  const putWhenThereIsSpace = async (...delivery: Parameters<Outbox['put']>): Promise<void> => {
    for (;;) {
      try {
        return await outbox.put(...delivery)
      } catch (error) {
        if (!(error instanceof OutboxFull)) throw error
        process.stdout.write('full\n')
        await setTimeout(50)
      }
    }
  }
  const feed = async (sourceId: string): Promise<void> => {
    const last = put.findLast((line) => line.startsWith(sourceId))
    for (let order = last === undefined ? 1 : Number(last.split(':')[1]) + 1; ; order += 4) {
      await Promise.all(
        [0, 1, 2, 3].map(async (step) => {
          const key = keyFor('order', order + step)
          const amount = BigInt(order + step)
          const rows = [{ amount }, { amount: amount * 2n }]
          await putWhenThereIsSpace(rows, { key, shapeVersion: 1, sourceId })
          writeSync(done, `${sourceId} ${key}\n`)
        }),
      )
    }
  }
  await Promise.all([run, ...sourceIds.map(feed)])
}

if (import.meta.main) await connect(process.argv[2]!, process.argv[3]!, process.argv[4]!)
