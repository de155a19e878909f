import { setTimeout as sleep } from 'node:timers/promises'
import { OverloadedError } from '../database/overloaded-error.ts'
import { countAs } from '../database/pool-shares.ts'

/** How often it is looked whether an open page's deliveries have changed, in milliseconds; once for all pages of a company. */
export const lookEveryMs = 1_000

/** How long the looks of other companies wait for one, in milliseconds; then they go on beside it. */
export const lookMsMax = 20

/**
 * How often an open page hears that its stream is still there, in milliseconds: it says that it is not live after less than three
 * seconds without a word (`web/src/company/use-delivery-changes.ts`). A thousand pages cost some 15 ms of processor a second.
 */
export const hereEveryMs = 1_000

/** How often it is checked that who looks still may, in milliseconds. */
export const checkEveryMs = 3_000

/** Pages that a process tells of changes; a further one is 503 with `Retry-After`, and asks by itself meanwhile. */
export const openPagesMax = 1_000

/** Of them, those of one company; a further one likewise. */
export const companyPagesMax = 500

/** The same of one member; a further one takes the place of the oldest. */
export const memberPagesMax = 10

/** A page that is open somewhere, and hears of changes. */
export interface OpenPage {
  companyId: string
  memberId: string
  /** Sends some text of the stream; never waits. */
  send: (text: string) => void
  end: () => void
}

export interface OpenPages<Page extends OpenPage> extends Disposable {
  /**
   * Tells a page the version of its company's deliveries at once, and each further one.
   *
   * @throws OverloadedError where too many are open
   */
  open(page: Page, version: string): void
  /** It has gone. */
  close(page: Page): void
}

interface OpenPagesOptions<Page extends OpenPage> {
  /** See `log-version.ts`. */
  versionOf: (companyId: string) => Promise<string>
  /** Of some pages those whose session goes on, and whose member may look. Rejects where that cannot be found out now. */
  whoMayLook: (pages: readonly Page[]) => Promise<ReadonlySet<Page>>
  lookEveryMs?: number
  hereEveryMs?: number
  checkEveryMs?: number
}

/** An event of the stream (HTML, "Server-sent events"). */
function changeEvent(version: string): string {
  return `event: change\ndata: "${version}"\n\n`
}

/** Changes nothing. A comment would keep the connection open too, but no page hears it. */
const hereEvent = 'event: here\ndata: .\n\n'

/** Lets the browser try again after this time, milliseconds, where the stream ends. */
const retryMs = 3_000

/**
 * Tells open pages when their company's deliveries have changed. Pages of one company cost one look a second together,
 * however many they are, and all pages one check. Disposing of it ends all, and none is opened any more.
 */
export function createOpenPages<Page extends OpenPage>(options: OpenPagesOptions<Page>): OpenPages<Page> {
  return new WatchedCompanies(options)
}

interface WatchedCompany<Page> {
  /** With the version that each was told last. */
  pages: Map<Page, string>
  isLookedAt: boolean
}

class WatchedCompanies<Page extends OpenPage> implements OpenPages<Page> {
  readonly #options: OpenPagesOptions<Page>
  readonly #companies = new Map<string, WatchedCompany<Page>>()
  /** In the order in which they were opened. */
  readonly #pages = new Set<Page>()
  #timers: NodeJS.Timeout[] = []
  #isLooking = false
  #isChecking = false
  #isOver = false

  constructor(options: OpenPagesOptions<Page>) {
    this.#options = options
  }

  open(page: Page, version: string): void {
    this.#endOldestOf(page.memberId)
    const company = this.#companies.get(page.companyId) ?? { pages: new Map(), isLookedAt: false }
    if (this.#isOver || this.#pages.size >= openPagesMax || company.pages.size >= companyPagesMax) {
      throw new OverloadedError('too many pages are open')
    }
    this.#companies.set(page.companyId, company)
    company.pages.set(page, version)
    this.#pages.add(page)
    this.#start()
    page.send(`retry: ${retryMs}\n${changeEvent(version)}`)
  }

  close(page: Page): void {
    if (!this.#pages.delete(page)) return
    const company = this.#companies.get(page.companyId)!
    company.pages.delete(page)
    if (company.pages.size === 0) this.#companies.delete(page.companyId)
    if (this.#pages.size === 0) this.#stop()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    for (const page of this.#pages) this.#end(page)
  }

  #end(page: Page): void {
    this.close(page)
    page.end()
  }

  #endOldestOf(memberId: string): void {
    const ofMember = [...this.#pages].filter((page) => page.memberId === memberId)
    for (const page of ofMember.slice(0, Math.max(0, ofMember.length + 1 - memberPagesMax))) this.#end(page)
  }

  #start(): void {
    if (this.#timers.length > 0) return
    // For all open pages, not for the company whose page was the first.
    this.#timers = countAs(undefined, () => [
      setInterval(() => void this.#look(), this.#options.lookEveryMs ?? lookEveryMs).unref(),
      setInterval(() => this.#sayHere(), this.#options.hereEveryMs ?? hereEveryMs).unref(),
      setInterval(() => void this.#check(), this.#options.checkEveryMs ?? checkEveryMs).unref(),
    ])
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
  }

  /**
   * One company after another, so that pages take little of what reads have; but a company whose turn among its reads does
   * not come holds up no other.
   */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (const [companyId, company] of this.#companies) {
      if (company.isLookedAt) continue
      await Promise.race([this.#lookAt(companyId, company), sleep(lookMsMax, undefined, { ref: false })])
    }
    this.#isLooking = false
  }

  async #lookAt(companyId: string, company: WatchedCompany<Page>): Promise<void> {
    company.isLookedAt = true
    // While the database is unavailable, the next look tries again.
    const version = await this.#options.versionOf(companyId).catch(() => undefined)
    company.isLookedAt = false
    if (version === undefined) return
    for (const [page, told] of company.pages) {
      if (told === version) continue
      company.pages.set(page, version)
      page.send(changeEvent(version))
    }
  }

  #sayHere(): void {
    for (const page of this.#pages) page.send(hereEvent)
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const pages = [...this.#pages]
    const mayLook = await this.#options.whoMayLook(pages).catch(() => undefined)
    this.#isChecking = false
    if (mayLook === undefined) return
    for (const page of pages) if (this.#pages.has(page) && !mayLook.has(page)) this.#end(page)
  }
}
