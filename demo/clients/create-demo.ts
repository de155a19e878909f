import { sieExport } from '../data/norrsken-books.ts'
import { earlierDeliveries, planDeliveries, toEvening, type DemoDelivery } from '../data/day-deliveries.ts'
import { demoCompanies, demoOwner, demoSources, shopWithChannel, soleTrader } from '../data/demo-companies.ts'
import { daysThrough, demoTimeZone, type DemoPlan } from '../data/demo-plan.ts'
import { invoicesCsv } from '../data/sole-trader-invoices.ts'
import { appActions } from './app-actions.ts'
import { connectionActions } from './connection-actions.ts'
import { openDemoBrowser, type DemoBrowser } from './demo-browser.ts'
import {
  demoSourceNames,
  type DemoAction,
  type DemoCompany,
  type DemoCompanyName,
  type DemoInProgress,
  type DemoSource,
  type DemoSourceName,
} from './demo-scene.ts'
import { financeActions } from './finance-actions.ts'
import { memberActions } from './member-actions.ts'
import { createSender, type SendDelivery } from './send-delivery.ts'
import { connectSource, storeSecret, type SourceConnection } from './source-secrets.ts'

type Day = Temporal.PlainDate

interface Person {
  personalNumber: string
  name: string
}

/** The parts of a demo that no API can create: the operator's, and those that happen in the past. */
export interface History {
  /** Where the service of the past listens, on this machine only; without a slash at the end. */
  url: string
  clock: { now(): number; set(instantMs: number): void }
  /** The operator's: a company with its first owner. */
  addCompany(company: { orgnr: string; name: string; timeZone: string }, owner: Person): Promise<DemoCompany>
  /** The operator's: the published credential is chosen in the configuration; the API generates others. */
  addDemoConnection(source: DemoSource): Promise<void>
  /** Stores a document that the service refuses, as a fault of a disk would leave it. */
  storeDamaged(source: DemoSource, connectionId: string, key: string, content: Buffer): Promise<void>
  /**
   * Parses all received deliveries without waiting for a worker: the next day follows in milliseconds.
   *
   * @param received how many deliveries, if known
   */
  parse(received?: number): Promise<void>
  /** Advances rebuilds by a step, and parses. */
  rebuild(): Promise<void>
}

export interface CreateDemoOptions {
  /** Whether members, apps and further connections do something in the past, too. */
  hasActions?: boolean
  onDay?: (created: number, days: number) => void
}

/** A connection lasts for a year and the history is longer, so each source gets a second one. */
const renewedAfterDays = 335

/** Companies join before their first delivery. */
const joinedBeforeDays = 3

/** The most steps of a rebuild of the shop; a year of orders takes a handful. */
const rebuildStepsMax = 1_000

class DemoBuilder {
  readonly #plan: DemoPlan
  readonly demo: DemoInProgress
  readonly #history: History
  readonly #dataFolder: string
  readonly #connections = new Map<DemoSourceName, SourceConnection>()
  readonly #signingSecrets = new Map<DemoSourceName, string>()
  readonly #send: SendDelivery

  constructor(history: History, plan: DemoPlan, dataFolder: string) {
    const { clock, url } = history
    const { seed, today } = plan
    this.#plan = plan
    this.#history = history
    this.#dataFolder = dataFolder
    this.demo = {
      seed,
      today,
      companies: {} as DemoInProgress['companies'],
      sources: {} as DemoInProgress['sources'],
      clock,
      url,
    }
    this.#send = createSender({
      url,
      clock,
      sources: this.demo.sources,
      readSecret: (name) => this.#signingSecrets.get(name) ?? this.#connections.get(name)!.credential,
    })
  }

  async #addCompany(name: DemoCompanyName, owner: Person): Promise<void> {
    const { orgnr, name: title } = demoCompanies[name]
    const company = { orgnr, name: title, timeZone: demoTimeZone }
    this.demo.companies[name] = await this.#history.addCompany(company, owner)
  }

  /** Creates a source with its connection or its signing secret. */
  async #addSource(owner: DemoBrowser, company: DemoCompanyName, name: DemoSourceName): Promise<void> {
    const { companies, sources, url } = this.demo
    const { companyId } = companies[company]
    const settings = demoSources[name]
    const { source_id: sourceId, signing_secret: secret } = await owner.send<{
      source_id: string
      signing_secret?: string
    }>('POST', `/console/companies/${companyId}/sources`, settings)
    const source = { companyId, sourceId, name: settings.name, channel: settings.channel }
    sources[name] = source
    if (secret !== undefined) this.#signingSecrets.set(name, secret)
    else this.#connections.set(name, await connectSource(url, owner, source))
  }

  /** Both companies, with the sources that deliver from the first day on. */
  async begin(): Promise<void> {
    for (const company of ['ekeby', 'norrsken'] as const) await this.#addCompany(company, demoOwner)
    await using owner = await openDemoBrowser(this.demo.url, demoOwner)
    for (const company of ['ekeby', 'norrsken'] as const) {
      for (const name of demoSourceNames[company]) {
        if (name !== 'firstSteps') await this.#addSource(owner, company, name)
      }
    }
    await this.#history.addDemoConnection(this.demo.sources.shop)
  }

  /** The source for a newcomer's first push, and the sole trader, who joins with all invoices so far. */
  async end(): Promise<void> {
    const { url } = this.demo
    await using owner = await openDemoBrowser(url, demoOwner)
    await this.#addSource(owner, 'ekeby', 'firstSteps')
    await this.#addCompany('soleTrader', soleTrader)
    await using photographer = await openDemoBrowser(url, soleTrader)
    await this.#addSource(photographer, 'soleTrader', 'invoices')
    for (const [name, { credential }] of this.#connections) {
      await storeSecret(this.#dataFolder, name, 'credential', credential)
    }
    for (const [name, secret] of this.#signingSecrets) {
      await storeSecret(this.#dataFolder, name, 'secret', secret)
    }
    const body = invoicesCsv(this.#plan)
    await this.#deliver([{ kind: 'document', source: 'invoices', key: 'invoices-so-far', body }])
  }

  /** What the companies do themselves. */
  actions(): DemoAction[] {
    const plan = this.#plan
    const { url, sources } = this.demo
    const daysSince = (day: Day): number => day.until(plan.today).days
    return [
      {
        daysAgo: daysSince(plan.firstDay.add({ days: renewedAfterDays })),
        at: '09:10',
        run: async () => {
          await using owner = await openDemoBrowser(url, demoOwner)
          for (const name of this.#connections.keys())
            this.#connections.set(name, await connectSource(url, owner, sources[name]))
        },
      },
      { daysAgo: daysSince(plan.channelFrom), at: '11:05', run: () => this.#addChannel() },
      { daysAgo: daysSince(plan.cutOffOn), at: '08:50', run: () => this.#storeCutOff() },
      {
        daysAgo: daysSince(plan.returnsPausedOn),
        at: '16:40',
        run: async () => {
          await using owner = await openDemoBrowser(url, demoOwner)
          await owner.send('POST', `${toSourcePath(sources.returns)}/pause`, {
            reason: 'The warehouse moves: parcels are counted by hand until it is done.',
          })
        },
      },
    ]
  }

  /** Saves version 2 of the shop, and waits until it is rebuilt. */
  async #addChannel(): Promise<void> {
    await using owner = await openDemoBrowser(this.demo.url, demoOwner)
    const path = toSourcePath(this.demo.sources.shop)
    await owner.send('PUT', path, { expected_revision: 1, ...shopWithChannel })
    for (let step = 1; step <= rebuildStepsMax; step++) {
      await this.#history.rebuild()
      const { activity } = await owner.send<{ activity: { rebuild: object | null } }>('GET', path)
      if (activity.rebuild === null) return
    }
    throw new Error('The shop of the demo was not rebuilt.')
  }

  /** A bookkeeping file that ends in the middle. */
  async #storeCutOff(): Promise<void> {
    const { cutOffOn } = this.#plan
    const { connectionId } = this.#connections.get('bookkeeping')!
    const whole = sieExport(this.#plan, cutOffOn.with({ day: 1 }).subtract({ days: 1 }))
    const content = whole.subarray(0, whole.lastIndexOf('}'))
    const key = `sie-${cutOffOn}-cut-off`
    await this.#history.storeDamaged(this.demo.sources.bookkeeping, connectionId, key, content)
  }

  /** Sends a day's deliveries, and parses them. */
  async sendEvening(day: Day): Promise<void> {
    this.demo.clock.set(toEvening(this.#plan, day).epochMilliseconds)
    await this.#history.parse(await this.#deliverAll(planDeliveries(this.#plan, day)))
  }

  /** The rows of the time before the companies joined. */
  async sendEarlier(): Promise<void> {
    await this.#deliverAll(earlierDeliveries(this.#plan))
  }

  /** Each system its own in order. @returns how many were stored */
  async #deliverAll(deliveries: readonly DemoDelivery[]): Promise<number> {
    const bySource = Map.groupBy(deliveries, ({ source }) => source)
    const stored = await Promise.all([...bySource.values()].map((some) => this.#deliver(some)))
    return stored.reduce((sum, count) => sum + count, 0)
  }

  /** @returns how many were stored: without those that a paused source refused, and those sent before */
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

  /** Runs something at an instant, and parses its deliveries. */
  async runAt(atMs: number, run: (demo: DemoInProgress) => Promise<void>): Promise<void> {
    this.demo.clock.set(atMs)
    await run(this.demo)
    await this.#history.parse()
  }

  /** Everything of one day: what people do before its evening, the deliveries, and what they do afterwards. */
  async runDay(day: Day, actions: readonly DemoAction[]): Promise<void> {
    const eveningMs = toEvening(this.#plan, day).epochMilliseconds
    const timed = actions
      .map(({ at, run }) => ({ atMs: toMs(day, at), run }))
      .toSorted((one, other) => one.atMs - other.atMs)
    for (const { atMs, run } of timed) if (atMs <= eveningMs) await this.runAt(atMs, run)
    await this.sendEvening(day)
    for (const { atMs, run } of timed) if (atMs > eveningMs) await this.runAt(atMs, run)
  }
}

function toSourcePath({ companyId, sourceId }: DemoSource): string {
  return `/console/companies/${companyId}/sources/${sourceId}`
}

/** A time of a day, in milliseconds since 1970. */
function toMs(day: Day, time: string): number {
  return day.toZonedDateTime({ timeZone: demoTimeZone, plainTime: time }).epochMilliseconds
}

/** The actions of people and apps. At the same time, those of members come first. */
function planActions(plan: DemoPlan): DemoAction[] {
  const { today } = plan
  return [...memberActions(today), ...connectionActions(today), ...appActions(), ...financeActions(plan)]
}

/**
 * Creates the companies, their sources, and every delivery of three years, over the public and the console API: the
 * earlier ones when the companies join, the others each on the evening of its own day.
 *
 * @param dataFolder where the secrets of the sources are stored
 * @param createdAtMs the present
 */
export async function createDemo(
  history: History,
  plan: DemoPlan,
  dataFolder: string,
  createdAtMs: number,
  { hasActions = false, onDay }: CreateDemoOptions,
): Promise<void> {
  const { firstDay, today } = plan
  const builder = new DemoBuilder(history, plan, dataFolder)
  const joined = firstDay.subtract({ days: joinedBeforeDays })
  await builder.runAt(toMs(joined, '09:00'), () => builder.begin())
  await builder.runAt(toMs(joined, '14:20'), () => builder.sendEarlier())

  const actions = [...builder.actions(), ...(hasActions ? planActions(plan) : [])]
  const byDay = Map.groupBy(actions, ({ daysAgo }) => daysAgo)
  const days = daysThrough(firstDay, today.subtract({ days: 1 }))
  for (const [index, day] of days.entries()) {
    await builder.runDay(day, byDay.get(day.until(today).days) ?? [])
    onDay?.(index + 1, days.length)
  }
  for (const { at, run } of byDay.get(0) ?? [])
    await builder.runAt(Math.min(toMs(today, at), createdAtMs), run)
  await builder.runAt(createdAtMs, () => builder.end())
}
