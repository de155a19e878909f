import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openShop, openShopOf, type Shop, sourceBody } from '../acceptance/shop.ts'
import { makeCompany } from '../acceptance/setup.ts'
import { callMsMax, isHonest503, quantile, slackMs } from './calls.ts'
import { startDatabase } from './database.ts'
import { startProcess } from './deployment.ts'
import { memoryBounded, processLives, watchMemory } from './invariants.ts'
import type { Course, Trial } from './trial.ts'
import type { Visitor, Visits } from './visit-page.ts'

const quick =
  "a neighbour's pages answer within 150 ms, 95 of 100 times, while one member sends 1,000 changes"
const served = 'a neighbour is never refused'
const toldHonestly = 'a change is made, or refused with 429 or 503 and Retry-After, within 15 s'
const limited = 'of 1,000 changes at the same moment no more are made than the rate of a member allows'
const unburied = 'what is done again and again is a handful of entries of what was done'

const neighbourMsMax = 150
/** On a machine on which other programs run, visits in quiet take long too. */
const busyFactor = 5
const quietForMs = 400
const changes = 1_000
/** The burst of a member, and what the bucket gains in the seconds that it takes. */
const madeMax = 120 + 2 * 60
const entriesMax = 20

/** Somebody else, in a company of their own: another member has another bucket. */
const other = { personalNumber: '198001019879', name: 'Nils Granne' }

const example = [
  'at;amount;country',
  ...Array.from({ length: 100 }, (_, row) => `2026-01-05;${row};SE`),
].join('\n')

interface Change {
  name: string
  send(number: number): Promise<{ status: number; text: string; headers: Headers }>
}

const changesOf = async (shop: Shop): Promise<Change[]> => {
  const { browser, pages } = shop
  const sourceId = await shop.makeSource()
  const source = `${pages}/sources/${sourceId}`
  const { connectionId } = await shop.connect({ source_id: sourceId })
  const { fields, event_time, metrics, delivers } = sourceBody() as Record<string, unknown>
  const declaration = { fields, event_time, metrics, delivers }
  const connection = {
    name: 'Another',
    source_id: sourceId,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'static',
  }
  return [
    {
      name: 'pause and resume',
      send: (number) => browser.post(`${source}/${number % 2 === 0 ? 'pause' : 'resume'}`),
    },
    { name: 'rename', send: (number) => browser.patch(source, { name: `Shop ${number % 2}` }) },
    {
      name: 'rotate a connection',
      send: () => browser.post(`${pages}/connections/${connectionId}/rotate`, { overlap_hours: 168 }),
    },
    { name: 'make a connection', send: () => browser.post(`${pages}/connections`, connection) },
    { name: 'invite by link', send: () => browser.post(`${pages}/invitations`, { role: 'reader' }) },
    {
      name: 'save a declaration',
      send: (number) => browser.put(`${source}/declaration`, { ...declaration, expected_version: number }),
    },
    { name: 'rebuild', send: () => browser.post(`${source}/refold`) },
    {
      name: 'preview',
      send: () => browser.post(`${pages}/sources/preview`, { declaration, example: { text: example } }),
    },
    {
      name: 'add a member',
      send: () =>
        browser.post(`${pages}/members`, { personal_number: '198504122386', role: 'reader', label: 'Lo' }),
    },
  ]
}

interface Neighbour {
  /** What its visits took since it was last asked. */
  tell(): Promise<Visits>
}

const startNeighbour = async (course: Course, visitor: Visitor): Promise<Neighbour> => {
  const thread = new Worker(new URL('visit-page.ts', import.meta.url), { workerData: visitor })
  course.use({ [Symbol.asyncDispose]: async () => void (await thread.terminate()) })
  await once(thread, 'message')
  return {
    tell: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      thread.postMessage('tell')
      const [visits] = (await once(thread, 'message')) as [Visits]
      return visits
    },
  }
}

/** The p95 of visits beside which nothing is sent, before and after: other programs come and go. */
const inQuiet = async (course: Course, neighbour: Neighbour): Promise<number> => {
  await neighbour.tell()
  await course.sleep(quietForMs)
  return quantile((await neighbour.tell()).times, 0.95)
}

/** One change a thousand times at the same moment, and what a neighbour's pages took meanwhile. */
const endure = async (course: Course, { name, send }: Change, neighbour: Neighbour): Promise<void> => {
  const before = await inQuiet(course, neighbour)
  course.inject(name, changes)
  const answers = await Promise.all(
    Array.from({ length: changes }, async (_, number) => {
      const startedMs = performance.now()
      const answer = await send(number)
      return { ...answer, ms: performance.now() - startedMs }
    }),
  )
  const { times, refused } = await neighbour.tell()
  course.check(served, refused.length === 0, `${name}: ${refused[0]}`)
  for (const { status, text, headers, ms } of answers) {
    const retryAfter = headers.get('retry-after') ?? undefined
    const isRefused =
      (status === 429 && retryAfter !== undefined) ||
      isHonest503({ status, text, ms, headers: { 'retry-after': retryAfter } })
    const isHonest = isRefused || (status !== 429 && status < 500)
    course.check(
      toldHonestly,
      isHonest && ms <= callMsMax + slackMs,
      `${name}: ${status} ${text.slice(0, 100)}`,
    )
  }
  const quietMs = Math.max(before, await inQuiet(course, neighbour))
  const made = answers.filter(({ status }) => status !== 429 && status < 500).length
  course.check(limited, made <= madeMax, `${name}: ${made}`)
  const p95 = Math.round(quantile(times, 0.95))
  const said = `${made}; ${times.length}, ${p95}; ${Math.round(quietMs)}`
  course.figure(`${name}: let through; visits, their p95 in ms; in quiet`, said)
  course.check(quick, p95 <= Math.max(neighbourMsMax, busyFactor * quietMs), `${name}: ${p95} ms`)
}

export const manyWrites: Trial = {
  name: 'many-writes',
  about: 'One member sends a thousand changes at the same moment, of each kind, beside another company.',
  minutes: 5,
  invariants: [quick, served, toldHonestly, limited, unburied, memoryBounded, processLives],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const service = await startProcess(course, { databaseUrl: database.url })
    const shop = await openShop(service)
    const company = await makeCompany(service, { orgnr: '559999-0024' })
    const nils = { company: company.orgnr, 'personal-number': other.personalNumber, role: 'owner' }
    await service.command('member add', nils)
    const theirs = await openShopOf(service.url, company, other)
    await theirs.makeSource()
    const neighbour = await startNeighbour(course, {
      url: service.url,
      person: other,
      page: `${theirs.pages}/sources`,
      pauseMs: 5,
    })
    // The first visits find a service that has just started.
    await course.sleep(1_500)
    const checkMemory = await watchMemory(course, service)
    for (const change of await changesOf(shop)) {
      await database.query('delete from rate_buckets')
      await endure(course, change, neighbour)
    }
    const { body } = await shop.browser.get(`${shop.pages}/audit?limit=200`)
    const repeated = (body.events as { action: string }[]).filter(({ action }) =>
      ['source_paused', 'source_resumed', 'connection_rotated', 'source_rebuilt'].includes(action),
    )
    course.check(unburied, repeated.length <= entriesMax, `${repeated.length} entries`)
    await checkMemory()
  },
}
