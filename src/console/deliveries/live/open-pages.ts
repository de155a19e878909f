import { setTimeout as sleep } from 'node:timers/promises'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import { countAs } from '../../../platform/database/pool-shares.ts'
import type { LogChanges } from './find-changes.ts'
import type { LogState } from './log-states.ts'

/** How often the deliveries of open pages are polled for changes, in milliseconds; once for all pages of a company. */
const pollEveryMs = 1_000

/** How long polling one company delays the next one, in milliseconds; after that they run side by side. */
const pollMsMax = 20

/**
 * How often an idle stream sends an event, in milliseconds: without one for less than three seconds a page counts as offline
 * (`web/src/company/use-delivery-changes.ts`). A thousand pages cost some 15 ms of processor time a second.
 */
const heartbeatEveryMs = 1_000

/** How often the sessions and roles behind open pages are checked, in milliseconds. */
const checkEveryMs = 3_000

/** Open pages of a process. A further one gets 503 with `Retry-After`, and polls by itself meanwhile. */
export const openPagesMax = 1_000

/** The same for one company. */
export const companyPagesMax = 500

/** The same for one member; a further page replaces the oldest. */
export const memberPagesMax = 10

/** A page that is notified of changes. */
export interface OpenPage {
  companyId: string
  memberId: string
  /** Sends text of the stream without waiting. */
  send: (text: string) => void
  end: () => void
}

export interface OpenPages<Page extends OpenPage> extends Disposable {
  /**
   * Sends a page the state of its company's deliveries, and from then on each change.
   *
   * @throws OverloadedError when too many pages are open
   */
  open(page: Page, state: LogState): void
  /** The page has disconnected. */
  close(page: Page): void
}

interface OpenPagesOptions<Page extends OpenPage> {
  getState: (companyId: string) => Promise<LogState>
  changesBetween: (companyId: string, before: LogState, after: LogState) => Promise<LogChanges>
  /** Of some pages those whose session is active and whose member has the role. Rejects when that cannot be determined now. */
  findAllowed: (pages: readonly Page[]) => Promise<ReadonlySet<Page>>
  pollEveryMs?: number
  heartbeatEveryMs?: number
  checkEveryMs?: number
}

/** An event of the stream (HTML, "Server-sent events"). */
function changeEvent(etag: string, since: string | null, changes: LogChanges | undefined): string {
  const data = {
    etag,
    since,
    deliveries: changes?.deliveries ?? null,
    refused_calls: changes?.refusedCalls ?? true,
  }
  return `event: change\ndata: ${JSON.stringify(data)}\n\n`
}

/** A comment would keep the connection open as well, but pages do not see comments. */
const heartbeat = 'event: heartbeat\ndata: .\n\n'

/** After how long the browser reconnects when the stream ends, in milliseconds. */
const retryMs = 3_000

/**
 * Notifies open pages of changes to their company's deliveries. The pages of one company cost one poll a second together, and
 * all pages one check. Disposing of it ends all pages and refuses new ones.
 */
export function createOpenPages<Page extends OpenPage>(options: OpenPagesOptions<Page>): OpenPages<Page> {
  return new WatchedCompanies(options)
}

interface WatchedCompany<Page> {
  /** With the entity tag that each was sent last. */
  pages: Map<Page, string>
  state: LogState
  isPolling: boolean
}

class WatchedCompanies<Page extends OpenPage> implements OpenPages<Page> {
  readonly #options: OpenPagesOptions<Page>
  readonly #companies = new Map<string, WatchedCompany<Page>>()
  /** In the order in which they were opened. */
  readonly #pages = new Set<Page>()
  #timers: NodeJS.Timeout[] = []
  #isPolling = false
  #isChecking = false
  #isDisposed = false

  constructor(options: OpenPagesOptions<Page>) {
    this.#options = options
  }

  open(page: Page, state: LogState): void {
    this.#endOldest(page.memberId)
    const company = this.#companies.get(page.companyId) ?? { pages: new Map(), state, isPolling: false }
    if (this.#isDisposed || this.#pages.size >= openPagesMax || company.pages.size >= companyPagesMax) {
      throw new OverloadedError('too many pages are open')
    }
    this.#companies.set(page.companyId, company)
    company.pages.set(page, state.etag)
    this.#pages.add(page)
    this.#start()
    page.send(`retry: ${retryMs}\n${changeEvent(state.etag, null, undefined)}`)
  }

  close(page: Page): void {
    if (!this.#pages.delete(page)) return
    const company = this.#companies.get(page.companyId)!
    company.pages.delete(page)
    if (company.pages.size === 0) this.#companies.delete(page.companyId)
    if (this.#pages.size === 0) this.#stop()
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const page of this.#pages) this.#end(page)
  }

  #end(page: Page): void {
    this.close(page)
    page.end()
  }

  #endOldest(memberId: string): void {
    const ofMember = [...this.#pages].filter((page) => page.memberId === memberId)
    for (const page of ofMember.slice(0, Math.max(0, ofMember.length + 1 - memberPagesMax))) this.#end(page)
  }

  #start(): void {
    if (this.#timers.length > 0) return
    // The timers belong to all open pages, not to the company whose page came first.
    this.#timers = countAs(undefined, () => [
      setInterval(() => void this.#poll(), this.#options.pollEveryMs ?? pollEveryMs).unref(),
      setInterval(() => this.#sendHeartbeats(), this.#options.heartbeatEveryMs ?? heartbeatEveryMs).unref(),
      setInterval(() => void this.#check(), this.#options.checkEveryMs ?? checkEveryMs).unref(),
    ])
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
  }

  /** One company after another, to leave connections to reads; but a slow company does not delay the others. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    for (const [companyId, company] of this.#companies) {
      if (company.isPolling) continue
      await Promise.race([this.#pollCompany(companyId, company), sleep(pollMsMax, undefined, { ref: false })])
    }
    this.#isPolling = false
  }

  async #pollCompany(companyId: string, company: WatchedCompany<Page>): Promise<void> {
    company.isPolling = true
    try {
      const state = await this.#options.getState(companyId)
      const isBehind = [...company.pages.values()].some((etag) => etag !== state.etag)
      if (state.etag !== company.state.etag || isBehind) await this.#notify(companyId, company, state)
    } catch {
      // The database is unavailable: the next poll tries again.
    } finally {
      company.isPolling = false
    }
  }

  async #notify(companyId: string, company: WatchedCompany<Page>, state: LogState): Promise<void> {
    const before = company.state
    const pages = [...company.pages]
    const changes = await this.#options.changesBetween(companyId, before, state)
    // Events carry deliveries, so a page that lost its role gets none, however short ago that was.
    const allowed = await this.#options.findAllowed(pages.map(([page]) => page))
    company.state = state
    for (const [page, etag] of pages) {
      if (!this.#pages.has(page)) continue
      if (!allowed.has(page)) this.#end(page)
      else if (etag !== state.etag) {
        company.pages.set(page, state.etag)
        // A page that was opened between two polls needs other changes than these: it reads its lists.
        page.send(changeEvent(state.etag, etag, etag === before.etag ? changes : undefined))
      }
    }
  }

  #sendHeartbeats(): void {
    for (const page of this.#pages) page.send(heartbeat)
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const pages = [...this.#pages]
    const allowed = await this.#options.findAllowed(pages).catch(() => undefined)
    this.#isChecking = false
    if (allowed === undefined) return
    for (const page of pages) if (this.#pages.has(page) && !allowed.has(page)) this.#end(page)
  }
}
