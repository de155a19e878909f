/**
 * A wrong address and a wrong signature are refused in the same time for every reason [hook.order]. Measured over
 * HTTP, the kinds in turn, so that the machine's other work affects all of them.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCompany, seedSource, seedWebhookSource } from '../../../../testing/in-process/seed.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'

const { context, app } = await startTestService({ environment: { NUMERA_TRUST_PROXY: '1' } })
let url: string
/** Addresses, by the reason why they are refused. */
let addresses: Record<string, string>
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { companyId } = (await seedCompany(context)).company
  addresses = {
    'a wrong secret': (await seedWebhookSource(context, companyId)).sourceId,
    'no such source': randomUUID(),
    'a push source': (await seedSource(context, companyId)).sourceId,
    'no uuid': 'shop',
  }
})
afterAll(async () => {
  agent.destroy()
})

let attempts = 0
/** One refused delivery, from a network of its own; gives the milliseconds that the answer took. */
const attempt = (address: string, body: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    attempts++
    const t = Math.floor(context.clock.now() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'service-delivery-id': 'a',
      'service-signature': `t=${t},v1=${randomBytes(32).toString('hex')}`,
      'x-forwarded-for': `10.${attempts >> 8}.${attempts & 255}.1`,
    }
    const startedMs = performance.now()
    const call = request(`${url}/v1/webhooks/${address}`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 404) resolve(performance.now() - startedMs)
        else reject(new Error(`answered ${answer.statusCode}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })

/**
 * How often a time of one kind is longer than one of the other: 0.5 where they cannot be told apart (Mann and Whitney's
 * U over the number of pairs). Outliers weigh no more than others.
 */
const longerShare = (one: number[], other: number[]): number => {
  let longer = 0
  for (const a of one) for (const b of other) longer += a > b ? 1 : a === b ? 0.5 : 0
  return longer / (one.length * other.length)
}

/** The greatest distance from 0.5 between the first kind and another. */
const measure = async (rounds: number, body: Buffer): Promise<number> => {
  const kinds = Object.keys(addresses)
  const times = new Map<string, number[]>(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round++) {
    // Each kind comes as often behind each other one.
    const order = kinds.map((_, index) => kinds[(index * (round % 2 === 0 ? 1 : 3) + round) % kinds.length]!)
    for (const kind of order) times.get(kind)!.push(await attempt(addresses[kind]!, body))
  }
  const [first, ...others] = [...times.values()]
  return Math.max(...others.map((other) => Math.abs(longerShare(first!, other) - 0.5)))
}

test.each([
  // Five standard deviations of the share, which for n times of each kind is about √(1/6n).
  { what: 'a small body', bytes: 200, rounds: 300, distanceMax: 0.12 },
  { what: 'a body of 1 MiB', bytes: 1_048_576, rounds: 100, distanceMax: 0.2 },
])(
  'the kinds of refusal cannot be told apart by their time, with $what',
  async ({ bytes, rounds, distanceMax }) => {
    const body = Buffer.alloc(bytes, ' ')
    await measure(10, body)
    // Chance and a busy machine do not spoil three measurements.
    const distances: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      distances.push(await measure(rounds, body))
      if (distances.at(-1)! <= distanceMax) return
    }
    expect(distances, 'in each of three tries').toEqual([])
  },
)
