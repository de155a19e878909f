import type { AppContext } from '../src/app/app-context.ts'
import { hash } from 'node:crypto'
import { addCompany } from '../src/people/companies/add-company.ts'
import { findMember } from '../src/people/members/find-member.ts'
import { addDemoConnection } from '../src/company/connections/add-demo-connection.ts'
import { createStore } from '../src/engine/deliveries/store/store.ts'
import { addMember } from '../src/console/memberships/add-member.ts'
import { createSource } from '../src/company/sources/create-source.ts'
import { pauseSource } from '../src/company/sources/pause-source.ts'
import { saveDeclaration } from '../src/company/sources/save-declaration.ts'
import { showSource } from '../src/company/sources/show-source.ts'
import { uuidv7 } from '../src/formats/values/uuidv7.ts'
import { planDeliveries, toEvening, type DemoDelivery } from './day-deliveries.ts'
import { demoCompanies, demoOwner, demoSources, shopWithChannel, soleTrader } from './demo-companies.ts'
import { daysThrough, demoTimeZone, planDemo, type DemoPlan } from './demo-plan.ts'
import {
  demoSourceNames,
  type DemoAct,
  type DemoCompanyName,
  type DemoInMaking,
  type DemoScene,
  type DemoSourceName,
} from './demo-scene.ts'
import { findDemo } from './find-demo.ts'
import { sieExport } from './norrsken-books.ts'
import { openHistory, type History } from './open-history.ts'
import { createSender, type SendDelivery } from './send-delivery.ts'
import { invoicesCsv } from './sole-trader-invoices.ts'
import { connectSource, storeSecret, type SourceConnection } from './source-credential.ts'

type Day = Temporal.PlainDate

export interface MakeDemoOptions {
  /** What people and apps do before the day on which it is made, besides what the companies' systems send. */
  acts?: (today: Temporal.PlainDate) => readonly DemoAct[]
  seed?: string
  /** Called after each day that was made, of so many. */
  onDay?: (made: number, days: number) => void
}

/** A connection lasts for a year, the history for longer: each source gets another one in time. */
const renewedAfterDays = 335

/** Companies are there before their first delivery. */
const joinedBeforeDays = 3

/** How often a rebuild of the shop is moved on; a year of orders takes a handful. */
const rebuildSteps = 1_000

/** The demo while it is made: its service of the past, what it has so far, and how its systems send. */
class Making {
  readonly plan: DemoPlan
  readonly demo: DemoInMaking
  readonly #history: History
  readonly #connections = new Map<DemoSourceName, SourceConnection>()
  readonly #signingSecrets = new Map<DemoSourceName, string>()
  readonly #send: SendDelivery

  constructor(history: History, plan: DemoPlan) {
    const { context, clock, url } = history
    const { seed, today, firstDay } = plan
    const { personalNumber, name } = demoOwner
    this.plan = plan
    this.#history = history
    this.demo = {
      seed,
      today,
      firstDay,
      owner: { memberId: '', personalNumber, name },
      companies: {} as DemoScene['companies'],
      sources: {} as DemoScene['sources'],
      context,
      clock,
      url,
    }
    this.#send = createSender({
      url,
      clock,
      sources: this.demo.sources,
      secretOf: (name) => this.#secretOf(name),
    })
  }

  #secretOf(name: DemoSourceName): string {
    return this.#signingSecrets.get(name) ?? this.#connections.get(name)!.credential
  }

  get #actor(): { memberId: string } {
    return { memberId: this.demo.owner.memberId }
  }

  async addCompany(name: DemoCompanyName, owner: { personalNumber: string; name: string }): Promise<void> {
    const { context, companies } = this.demo
    const { orgnr, name: title } = demoCompanies[name]
    const company = await addCompany(context, { orgnr, name: title, timeZone: demoTimeZone })
    companies[name] = company
    const { personalNumber } = owner
    const input = { personalNumber, label: owner.name, role: 'owner' } as const
    await addMember(context, 'operator', company.companyId, input)
  }

  /** Makes a source as its company's owner, and what opens it to its system. */
  async addSource(company: DemoCompanyName, name: DemoSourceName, memberId: string): Promise<void> {
    const { context, companies, sources } = this.demo
    const { companyId } = companies[company]
    const made = await createSource(context, { memberId }, companyId, demoSources[name])
    sources[name] = { ...made.source, companyId }
    if (made.signingSecret === undefined) await this.connect(name)
    else this.#signingSecrets.set(name, made.signingSecret)
  }

  async connect(name: DemoSourceName): Promise<void> {
    this.#connections.set(name, await connectSource(this.demo.context, this.demo, name))
  }

  /** Both companies, with what delivers from the first day on. */
  async begin(): Promise<void> {
    const { demo } = this
    const { context, sources } = demo
    for (const name of ['ekeby', 'norrsken'] as const) await this.addCompany(name, demoOwner)
    demo.owner.memberId = (await findMember(context, demoOwner.personalNumber)).memberId
    for (const company of ['ekeby', 'norrsken'] as const) {
      for (const name of demoSourceNames[company]) {
        if (name !== 'firstSteps') await this.addSource(company, name, demo.owner.memberId)
      }
    }
    const { demoCredential } = context.config
    const { companyId, sourceId } = sources.shop
    if (demoCredential !== undefined) await addDemoConnection(context, companyId, sourceId, demoCredential)
  }

  /** What a newcomer needs, and the sole trader, who joins with everything invoiced so far. */
  async end(): Promise<void> {
    const { demo, plan } = this
    await this.addSource('ekeby', 'firstSteps', demo.owner.memberId)
    for (const [name, { credential }] of this.#connections) {
      await storeSecret(demo.context, name, 'credential', credential)
    }
    for (const [name, secret] of this.#signingSecrets) await storeSecret(demo.context, name, 'secret', secret)
    await this.addCompany('soleTrader', soleTrader)
    const { memberId } = await findMember(demo.context, soleTrader.personalNumber)
    await this.addSource('soleTrader', 'invoices', memberId)
    await storeSecret(demo.context, 'invoices', 'credential', this.#secretOf('invoices'))
    const body = invoicesCsv(plan)
    await this.#deliver([{ way: 'document', source: 'invoices', key: 'invoices-so-far', body }])
  }

  /** What the companies do themselves. */
  acts(): DemoAct[] {
    const { plan, demo } = this
    const ago = (day: Day): number => day.until(plan.today).days
    return [
      {
        daysAgo: ago(plan.firstDay.add({ days: renewedAfterDays })),
        at: '09:10',
        run: async () => {
          for (const name of this.#connections.keys()) await this.connect(name)
        },
      },
      { daysAgo: ago(plan.channelFrom), at: '11:05', run: () => this.#addChannel() },
      { daysAgo: ago(plan.cutOffOn), at: '08:50', run: () => this.#storeCutOff() },
      {
        daysAgo: ago(plan.returnsPausedOn),
        at: '16:40',
        run: async () => {
          const { companyId, sourceId } = demo.sources.returns
          const reason = 'The warehouse moves: parcels are counted by hand until it is done.'
          await pauseSource(demo.context, this.#actor, companyId, sourceId, reason)
        },
      },
    ]
  }

  /** Saves version 2 of the shop, and waits until it is rebuilt. */
  async #addChannel(): Promise<void> {
    const { context, sources } = this.demo
    const { companyId, sourceId, projectionId } = sources.shop
    await saveDeclaration(context, this.#actor, companyId, sourceId, 1, shopWithChannel)
    for (let step = 1; ; step++) {
      await this.#history.rebuild()
      const { source } = await showSource(context, this.#actor, companyId, sourceId)
      sources.shop = { ...source, companyId }
      if (source.projectionId !== projectionId) return
      if (step === rebuildSteps) throw new Error('The shop of the demo was not rebuilt.')
    }
  }

  /**
   * A bookkeeping file that ends in the middle. The service refuses such a body when it comes, so that this one is stored
   * as a fault of a disk would leave it.
   */
  async #storeCutOff(): Promise<void> {
    const { context, sources } = this.demo
    const { companyId, sourceId, shapeVersion, delivers } = sources.bookkeeping
    const { connectionId } = this.#connections.get('bookkeeping')!
    const whole = sieExport(this.plan, this.plan.cutOffOn.with({ day: 1 }).subtract({ days: 1 }))
    const content = whole.subarray(0, whole.lastIndexOf('}'))
    const { pool, clock } = context
    await createStore({ pool, clock })({
      idempotencyKey: `sie-${this.plan.cutOffOn}-cut-off`,
      shapeVersion,
      format: 'sie',
      droppedKeys: [],
      comparedBy: 'bytes',
      canonicalSha256: null,
      receivedSha256: hash('sha256', content, 'buffer'),
      content,
      contentEncoding: 'identity',
      contentBytes: content.length,
      target: { channel: 'push', companyId, sourceId, sandbox: false, connectionId, delivers },
      artifactId: uuidv7(clock.now()),
    })
  }

  /** Sends what is due, each system its own in order, and parses it. */
  async sendEvening(day: Day): Promise<void> {
    this.demo.clock.set(toEvening(this.plan, day).epochMilliseconds)
    const bySource = Map.groupBy(planDeliveries(this.plan, day), ({ source }) => source)
    const stored = await Promise.all([...bySource.values()].map((deliveries) => this.#deliver(deliveries)))
    await this.#history.parse(stored.reduce((sum, count) => sum + count, 0))
  }

  /** Gives how many of them were stored: not those that a paused source refused, nor one that was there. */
  async #deliver(deliveries: readonly DemoDelivery[]): Promise<number> {
    const stored = new Set<string>()
    for (const delivery of deliveries) {
      const { status, code, artifactId } = await this.#send(delivery)
      if (status === 202) stored.add(artifactId!)
      else if (delivery.source !== 'returns' || code !== 'source_paused') {
        throw new Error(`The demo could not send ${delivery.key}: ${status} ${code}`)
      }
    }
    return stored.size
  }

  /** Does something at an instant, and parses what came of it. */
  async do(atMs: number, work: (demo: DemoInMaking) => Promise<void>): Promise<void> {
    this.demo.clock.set(atMs)
    await work(this.demo)
    await this.#history.parse()
  }
}

/** A time of a day, in milliseconds since 1970. */
function toMs(day: Day, time: string): number {
  return day.toZonedDateTime({ timeZone: demoTimeZone, plainTime: time }).epochMilliseconds
}

/** Everything of one day: what people do before its evening, the deliveries, and what they do after it. */
async function makeDay(making: Making, day: Day, acts: readonly DemoAct[]): Promise<void> {
  const eveningMs = toEvening(making.plan, day).epochMilliseconds
  const timed = acts
    .map(({ at, run }) => ({ atMs: toMs(day, at), run }))
    .toSorted((one, other) => one.atMs - other.atMs)
  for (const { atMs, run } of timed) if (atMs <= eveningMs) await making.do(atMs, run)
  await making.sendEvening(day)
  for (const { atMs, run } of timed) if (atMs > eveningMs) await making.do(atMs, run)
}

async function makeHistory(present: AppContext, options: MakeDemoOptions): Promise<void> {
  const createdAtMs = present.clock.now()
  const today = Temporal.Instant.fromEpochMilliseconds(createdAtMs)
    .toZonedDateTimeISO(demoTimeZone)
    .toPlainDate()
  const plan = planDemo(today, options.seed)
  await using history = await openHistory(present)
  const making = new Making(history, plan)
  const joined = plan.firstDay.subtract({ days: joinedBeforeDays })
  await making.do(toMs(joined, '09:00'), () => making.begin())

  const byDay = Map.groupBy([...making.acts(), ...(options.acts?.(today) ?? [])], ({ daysAgo }) => daysAgo)
  const days = daysThrough(plan.firstDay, today.subtract({ days: 1 }))
  for (const [index, day] of days.entries()) {
    await makeDay(making, day, byDay.get(day.until(today).days) ?? [])
    options.onDay?.(index + 1, days.length)
  }
  for (const { at, run } of byDay.get(0) ?? []) await making.do(Math.min(toMs(today, at), createdAtMs), run)
  await making.do(createdAtMs, () => making.end())
}

/**
 * Makes the demo in a database that has none: its companies, their sources, and every delivery of more than a year,
 * received on the evening of its own day. To be called before the service listens. Where a demo is there already, nothing
 * is made but the demo connection, if the configuration has another credential for it now.
 *
 * @throws DemoCutShortError where an earlier start did not come to its end
 */
export async function makeDemo(context: AppContext, options: MakeDemoOptions = {}): Promise<DemoScene> {
  const found = await findDemo(context, options.seed)
  if (found === undefined) {
    await makeHistory(context, options)
    return (await findDemo(context, options.seed))!
  }
  const { demoCredential } = context.config
  const { companyId, sourceId } = found.sources.shop
  if (demoCredential !== undefined) await addDemoConnection(context, companyId, sourceId, demoCredential)
  return found
}
