import { randomUUID } from 'node:crypto'
import { startDatabase } from './database.ts'
import { openRates, openScene, startProcess } from './deployment.ts'
import { holdConnections, type HeldOptions } from './held-connections.ts'
import { checkLedgers, ledgerInvariants, memoryBounded, processLives, watchMemory } from './invariants.ts'
import { type Channel, createLedger } from './ledger.ts'
import { createNeighbour, neighbourInvariants } from './neighbour.ts'
import type { Trial } from './trial.ts'

const cut = 'a body that is held back is cut off within 130 s'
const cutMsMax = 130_000
const bodyBytesMax = 8_388_608
const largeRows = 20_000
/** Larger than what a room that is full has left over. */
const smallRows = 60

const stranger = '203.0.113.7'
const otherStranger = '198.51.100.9'
const neighbours = '192.0.2.44'

/** A webhook by somebody who has no secret, to a source that there is not. */
const unsigned = (network: string): string =>
  [
    `POST /v1/webhooks/${randomUUID()} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Service-Delivery-Id: held-${randomUUID()}`,
    `Service-Signature: t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
    `X-Forwarded-For: ${network}`,
  ].join('\r\n')

const posted = (path: string, type: string, network: string, rest: string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: ${type}`,
    `X-Forwarded-For: ${network}`,
    ...rest,
  ].join('\r\n')

interface Flood extends HeldOptions {
  name: string
  count: number
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const floodsFrom = (credential: string): Flood[] => [
  {
    name: '1,250 webhooks without a secret, a byte held back',
    count: 1250,
    head: unsigned(stranger),
    bodyBytes: 65536,
    heldBytes: 1,
  },
  {
    name: '36 webhooks of 8 MiB without a secret, a byte held back',
    count: 36,
    head: unsigned(stranger),
    bodyBytes: bodyBytesMax,
    heldBytes: 1,
  },
  {
    name: '36 pushes of 8 MiB by one company, a byte held back',
    count: 36,
    head: posted('/v1/ingest', json, otherStranger, [`Authorization: Bearer ${credential}`]),
    bodyBytes: bodyBytesMax,
    heldBytes: 1,
  },
  {
    name: '400 webhooks that drip',
    count: 400,
    head: unsigned(stranger),
    bodyBytes: 65536,
    heldBytes: 65e3,
    dripMs: 250,
  },
  {
    name: '400 forms that drip',
    count: 400,
    head: posted('/oauth/token', form, stranger),
    bodyBytes: 2e3,
    heldBytes: 1990,
    dripMs: 250,
  },
  {
    name: '400 registrations that drip',
    count: 400,
    head: posted('/oauth/register', json, stranger),
    bodyBytes: 2e3,
    heldBytes: 1990,
    dripMs: 250,
  },
]

export const heldBodies: Trial = {
  name: 'held-bodies',
  about: 'Strangers begin bodies and hold their ends back, or let them drip, while neighbours send theirs.',
  minutes: 15,
  invariants: [...neighbourInvariants, memoryBounded, processLives, ...ledgerInvariants],
  longInvariants: [cut],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const service = await startProcess(course, {
      databaseUrl: database.url,
      environment: { ...openRates, NUMERA_TRUST_PROXY: 'loopback' },
    })
    const [attacker, scene] = [await openScene(service, '559999-0024'), await openScene(service)]
    const ledger = createLedger(service.url, scene.accounts, course.random('deliveries'))
    const headers = { 'x-forwarded-for': neighbours }
    const sendNext = async (channel: Channel, rows: number) => {
      const entry = ledger.next({ channel, rows })
      const outcome = await ledger.send(entry, { headers })
      // It is not sent again, and thousands of large bodies are more than the heap holds.
      entry.body = ''
      return outcome
    }
    const small = createNeighbour(course, 'signed webhooks', { clients: 4, pauseMs: 20 }, () =>
      sendNext('webhook', smallRows),
    )
    const large = createNeighbour(course, 'large pushes', { clients: 2, pauseMs: 50 }, () =>
      sendNext('push', largeRows),
    )
    const quiet = [small, large].map((each) => each.work(course.short ? 1_500 : 40_000))
    const [smallMs, largeMs] = (await Promise.all(quiet)) as [number, number]
    const checkMemory = await watchMemory(course, service)

    const floods = floodsFrom(attacker.accounts.push.credential)
    for (let round = 0; round === 0 || (!course.short && performance.now() < course.untilMs); round++) {
      for (const flood of floods) {
        course.say(flood.name)
        const connections = course.use(holdConnections(service.url, flood.count, flood))
        course.inject(flood.name)
        const lasts = async (): Promise<void> => {
          await Promise.race([connections.settled, course.sleep(10_000)])
          await course.sleep(!course.short ? 20_000 : flood.dripMs === undefined ? 1_500 : 500)
        }
        const over = lasts()
        await Promise.all([
          small.workThrough(flood.name, smallMs, over),
          large.workThrough(flood.name, largeMs, over),
        ])
        course.figure(`held at the end: ${flood.name}`, connections.held())
        if (!course.short && flood.dripMs === undefined) {
          const deadline = performance.now() + cutMsMax
          while (connections.held() > 0 && performance.now() < deadline) await course.sleep(500)
          course.check(cut, connections.held() === 0, `${flood.name}: ${connections.held()} are held`)
        }
        await connections[Symbol.asyncDispose]()
      }
    }
    await checkMemory()
    await checkLedgers(course, [ledger], service, database)
  },
}
