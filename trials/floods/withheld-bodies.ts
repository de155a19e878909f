import { randomUUID } from 'node:crypto'
import { startDatabase } from '../deployment/database.ts'
import { openRates, openScene, startProcess } from '../deployment/deployment.ts'
import { withholdConnections, type WithheldOptions } from './withheld-connections.ts'
import {
  checkLedgers,
  ledgerInvariants,
  memoryBounded,
  processLives,
  watchMemory,
} from '../deployment/invariants.ts'
import { type Channel, createLedger } from '../deployment/ledger.ts'
import { createNeighbour, neighbourInvariants } from './neighbour.ts'
import type { Trial } from '../trial.ts'

const closed = 'a connection with an incomplete body is closed within 130 s'
const closedMsMax = 130_000
const bodyBytesMax = 8_388_608
const largeRows = 20_000
/** Larger than the rest of a memory budget that is used up. */
const smallRows = 60

const stranger = '203.0.113.7'
const otherStranger = '198.51.100.9'
const neighbours = '192.0.2.44'

/** A webhook with a wrong signature, to a source that does not exist. */
const writeUnsigned = (network: string): string =>
  [
    `POST /v1/webhooks/${randomUUID()} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Service-Delivery-Id: withheld-${randomUUID()}`,
    `Service-Signature: t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
    `X-Forwarded-For: ${network}`,
  ].join('\r\n')

const writePost = (path: string, type: string, network: string, rest: string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: ${type}`,
    `X-Forwarded-For: ${network}`,
    ...rest,
  ].join('\r\n')

interface Flood extends WithheldOptions {
  name: string
  count: number
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const createFloods = (credential: string): Flood[] => [
  {
    name: '1,250 webhooks without a secret, one byte withheld',
    count: 1250,
    head: writeUnsigned(stranger),
    bodyBytes: 65536,
    withheldBytes: 1,
  },
  {
    name: '36 webhooks of 8 MiB without a secret, one byte withheld',
    count: 36,
    head: writeUnsigned(stranger),
    bodyBytes: bodyBytesMax,
    withheldBytes: 1,
  },
  {
    name: '36 pushes of 8 MiB by one company, one byte withheld',
    count: 36,
    head: writePost('/v1/ingest', json, otherStranger, [`Authorization: Bearer ${credential}`]),
    bodyBytes: bodyBytesMax,
    withheldBytes: 1,
  },
  {
    name: '400 webhooks that drip',
    count: 400,
    head: writeUnsigned(stranger),
    bodyBytes: 65536,
    withheldBytes: 65e3,
    dripMs: 250,
  },
  {
    name: '400 forms that drip',
    count: 400,
    head: writePost('/oauth/token', form, stranger),
    bodyBytes: 2e3,
    withheldBytes: 1990,
    dripMs: 250,
  },
  {
    name: '400 registrations that drip',
    count: 400,
    head: writePost('/oauth/register', json, stranger),
    bodyBytes: 2e3,
    withheldBytes: 1990,
    dripMs: 250,
  },
]

export const withheldBodies: Trial = {
  name: 'withheld-bodies',
  about: 'Strangers withhold the end of request bodies, or drip it, while neighbours send theirs.',
  minutes: 15,
  invariants: [...neighbourInvariants, memoryBounded, processLives, ...ledgerInvariants],
  longInvariants: [closed],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const service = await startProcess(context, {
      databaseUrl: database.url,
      environment: { ...openRates, NUMERA_TRUST_PROXY: 'loopback' },
    })
    const [attacker, scene] = [await openScene(service, '559999-0024'), await openScene(service)]
    const ledger = createLedger(service.url, scene.accounts, context.random('deliveries'))
    const headers = { 'x-forwarded-for': neighbours }
    const sendNext = async (channel: Channel, rows: number) => {
      const entry = ledger.next({ channel, rows })
      const outcome = await ledger.send(entry, { headers })
      // It is not sent again, and thousands of large bodies would not fit into memory.
      entry.body = ''
      return outcome
    }
    const small = createNeighbour(context, 'signed webhooks', { clients: 4, pauseMs: 20 }, () =>
      sendNext('webhook', smallRows),
    )
    const large = createNeighbour(context, 'large pushes', { clients: 2, pauseMs: 50 }, () =>
      sendNext('push', largeRows),
    )
    const quiet = [small, large].map((each) => each.work(context.short ? 1_500 : 40_000))
    const [smallMs, largeMs] = (await Promise.all(quiet)) as [number, number]
    const checkMemory = await watchMemory(context, service)

    const floods = createFloods(attacker.accounts.push.credential)
    for (let round = 0; round === 0 || (!context.short && performance.now() < context.untilMs); round++) {
      for (const flood of floods) {
        context.log(flood.name)
        const connections = context.use(withholdConnections(service.url, flood.count, flood))
        context.inject(flood.name)
        const wait = async (): Promise<void> => {
          await Promise.race([connections.settled, context.sleep(10_000)])
          await context.sleep(!context.short ? 20_000 : flood.dripMs === undefined ? 1_500 : 500)
        }
        const over = wait()
        await Promise.all([
          small.workThrough(flood.name, smallMs, over),
          large.workThrough(flood.name, largeMs, over),
        ])
        context.measure(`open at the end: ${flood.name}`, connections.countOpen())
        if (!context.short && flood.dripMs === undefined) {
          const deadline = performance.now() + closedMsMax
          while (connections.countOpen() > 0 && performance.now() < deadline) await context.sleep(500)
          context.check(
            closed,
            connections.countOpen() === 0,
            `${flood.name}: ${connections.countOpen()} are open`,
          )
        }
        await connections[Symbol.asyncDispose]()
      }
    }
    small.checkAll(smallMs)
    large.checkAll(largeMs)
    await checkMemory()
    await checkLedgers(context, [ledger], service, database)
  },
}
