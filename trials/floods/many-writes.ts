import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openShop, openShopOf, type Shop, sourceBody } from '../../testing/process/shop.ts'
import { provideCompany } from '../../testing/process/company.ts'
import { callMsMax, isHonest503, quantile, slackMs } from '../deployment/calls.ts'
import { startDatabase } from '../deployment/database.ts'
import { startProcess } from '../deployment/deployment.ts'
import { memoryBounded, processLives, watchMemory } from '../deployment/invariants.ts'
import type { TrialContext, Trial } from '../trial.ts'
import type { Visitor, Visits } from './visit-page.ts'

const quick = "the p95 of a neighbour's pages is at most 150 ms while one member sends 1,000 changes"
const served = 'a neighbour is never refused'
const answeredHonestly = 'a change succeeds, or is refused with 429 or 503 and Retry-After, within 15 s'
const limited = 'of 1,000 concurrent changes at most as many succeed as the rate of a member allows'
const fewEntries = 'repeated changes are a handful of audit entries'

const neighbourMsMax = 150
/** On a busy machine visits without changes take long too. */
const busyFactor = 5
const restForMs = 400
const changes = 1_000
/** A member's burst, and what the bucket gains in the meantime. */
const acceptedMax = 120 + 2 * 60
const entriesMax = 20

/** The neighbour: another member, with a bucket of their own. */
const other = { personalNumber: '198001019879', name: 'Nils Granne' }

const example = [
  'at;amount;country',
  ...Array.from({ length: 100 }, (_, row) => `2026-01-05;${row};SE`),
].join('\n')

interface Change {
  name: string
  send(number: number): Promise<{ status: number; text: string; headers: Headers }>
}

const createChanges = async (shop: Shop): Promise<Change[]> => {
  const { browser, pages } = shop
  const sourceId = await shop.createSource()
  const source = `${pages}/sources/${sourceId}`
  const { connectionId } = await shop.connect({ source_id: sourceId })
  const saved = { ...sourceBody(), channel: 'push', format: null }
  const { fields, event_time, metrics, delivers } = saved
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
    {
      name: 'rotate a connection',
      send: () => browser.post(`${pages}/connections/${connectionId}/rotate`, { overlap_hours: 168 }),
    },
    { name: 'create a connection', send: () => browser.post(`${pages}/connections`, connection) },
    { name: 'invite by link', send: () => browser.post(`${pages}/invitations`, { role: 'reader' }) },
    {
      name: 'save a source',
      send: (number) =>
        browser.put(source, { ...saved, name: `Shop ${number % 2}`, expected_revision: number }),
    },
    { name: 'rebuild', send: () => browser.post(`${source}/rebuilds`) },
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
  /** Since the last call. */
  readVisits(): Promise<Visits>
}

const startNeighbour = async (context: TrialContext, visitor: Visitor): Promise<Neighbour> => {
  const thread = new Worker(new URL('visit-page.ts', import.meta.url), { workerData: visitor })
  context.use({ [Symbol.asyncDispose]: async () => void (await thread.terminate()) })
  await once(thread, 'message')
  return {
    readVisits: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage('read')
      const [visits] = (await once(thread, 'message')) as [Visits]
      return visits
    },
  }
}

/** The p95 of visits without changes. */
const measureAtRest = async (context: TrialContext, neighbour: Neighbour): Promise<number> => {
  await neighbour.readVisits()
  await context.sleep(restForMs)
  return quantile((await neighbour.readVisits()).times, 0.95)
}

/** Sends one change a thousand times concurrently while the neighbour visits their pages. */
const flood = async (context: TrialContext, { name, send }: Change, neighbour: Neighbour): Promise<void> => {
  const before = await measureAtRest(context, neighbour)
  context.inject(name, changes)
  const answers = await Promise.all(
    Array.from({ length: changes }, async (_, number) => {
      const startedMs = performance.now()
      const answer = await send(number)
      return { ...answer, ms: performance.now() - startedMs }
    }),
  )
  const { times, refused } = await neighbour.readVisits()
  context.check(served, refused.length === 0, `${name}: ${refused[0]}`)
  for (const { status, text, headers, ms } of answers) {
    const retryAfter = headers.get('retry-after') ?? undefined
    const isRefused =
      (status === 429 && retryAfter !== undefined) ||
      isHonest503({ status, text, ms, headers: { 'retry-after': retryAfter } })
    const isHonest = isRefused || (status !== 429 && status < 500)
    context.check(
      answeredHonestly,
      isHonest && ms <= callMsMax + slackMs,
      `${name}: ${status} ${text.slice(0, 100)}`,
    )
  }
  // Other programs come and go, so rest is measured before and after.
  const restMs = Math.max(before, await measureAtRest(context, neighbour))
  const accepted = answers.filter(({ status }) => status !== 429 && status < 500).length
  context.check(limited, accepted <= acceptedMax, `${name}: ${accepted}`)
  const p95 = Math.round(quantile(times, 0.95))
  const figures = `${accepted}; ${times.length}, ${p95}; ${Math.round(restMs)}`
  context.measure(`${name}: accepted; visits, their p95 in ms; at rest`, figures)
  context.check(quick, p95 <= Math.max(neighbourMsMax, busyFactor * restMs), `${name}: ${p95} ms`)
}

export const manyWrites: Trial = {
  name: 'many-writes',
  about: 'One member sends a thousand concurrent changes of each kind while another company works.',
  minutes: 5,
  invariants: [quick, served, answeredHonestly, limited, fewEntries, memoryBounded, processLives],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url })
    const shop = await openShop(service)
    const company = await provideCompany(service, { orgnr: '559999-0024' })
    const nils = { company: company.orgnr, 'personal-number': other.personalNumber, role: 'owner' }
    await service.command('member add', nils)
    const theirs = await openShopOf(service.url, company, other)
    await theirs.createSource()
    const neighbour = await startNeighbour(context, {
      url: service.url,
      person: other,
      page: `${theirs.pages}/sources`,
      pauseMs: 5,
    })
    // The first visits to a service that has just started are slow.
    await context.sleep(1_500)
    const checkMemory = await watchMemory(context, service)
    for (const change of await createChanges(shop)) {
      await database.query('delete from rate_buckets')
      await flood(context, change, neighbour)
    }
    const { body } = await shop.browser.get(`${shop.pages}/audit?limit=200`)
    const repeated = (body.events as { action: string }[]).filter(({ action }) =>
      ['source_paused', 'source_resumed', 'connection_rotated', 'source_rebuilt'].includes(action),
    )
    context.check(fewEntries, repeated.length <= entriesMax, `${repeated.length} entries`)
    await checkMemory()
  },
}
