import { OverloadedError } from '../database/overloaded-error.ts'

/** How often it is looked whether an open page's deliveries have changed, in milliseconds; once for all pages of a company. */
export const lookEveryMs = 1_000

/**
 * How often it is checked that who looks still may, in milliseconds. A page hears then that it is still told, so that it
 * notices where its stream was lost without a word.
 */
export const checkEveryMs = 10_000

/** Pages that a process tells of changes; a further one is 503 with `Retry-After`, and asks by itself meanwhile. */
export const openPagesMax = 1_000

/** The same of one member; a further one takes the place of the oldest. */
export const memberPagesMax = 10

/** A page that is open somewhere, and hears of changes. */
export interface OpenPage {
  companyId: string
  memberId: string
  /** Sends some text of the stream; never waits. */
  send: (text: string) => void
  end: () => void
  /** Whether its session goes on, and its member still may look. Rejects where that cannot be found out now. */
  mayLook: () => Promise<boolean>
}

export interface OpenPages extends Disposable {
  /**
   * Tells a page the version of its company's deliveries at once, and each further one.
   *
   * @throws OverloadedError where too many are open
   */
  open(page: OpenPage, version: string): void
  /** It has gone. */
  close(page: OpenPage): void
}

interface OpenPagesOptions {
  /** See `log-version.ts`. */
  versionOf: (companyId: string) => Promise<string>
  lookEveryMs?: number
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
 * however many they are. Disposing of it ends all, and none is opened any more.
 */
export function createOpenPages(options: OpenPagesOptions): OpenPages {
  return new WatchedCompanies(options)
}

interface WatchedCompany {
  version: string
  pages: Set<OpenPage>
}

class WatchedCompanies implements OpenPages {
  readonly #options: OpenPagesOptions
  readonly #companies = new Map<string, WatchedCompany>()
  /** In the order in which they were opened. */
  readonly #pages = new Set<OpenPage>()
  #timers: NodeJS.Timeout[] = []
  #isLooking = false
  #isChecking = false
  #isOver = false

  constructor(options: OpenPagesOptions) {
    this.#options = options
  }

  open(page: OpenPage, version: string): void {
    this.#endOldestOf(page.memberId)
    if (this.#isOver || this.#pages.size >= openPagesMax) throw new OverloadedError('too many pages are open')
    const company = this.#companies.get(page.companyId) ?? { version, pages: new Set() }
    this.#companies.set(page.companyId, company)
    company.pages.add(page)
    this.#pages.add(page)
    this.#start()
    page.send(`retry: ${retryMs}\n${changeEvent(version)}`)
  }

  close(page: OpenPage): void {
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

  #end(page: OpenPage): void {
    this.close(page)
    page.end()
  }

  #endOldestOf(memberId: string): void {
    const ofMember = [...this.#pages].filter((page) => page.memberId === memberId)
    for (const page of ofMember.slice(0, Math.max(0, ofMember.length + 1 - memberPagesMax))) this.#end(page)
  }

  #start(): void {
    if (this.#timers.length > 0) return
    this.#timers = [
      setInterval(() => void this.#look(), this.#options.lookEveryMs ?? lookEveryMs).unref(),
      setInterval(() => void this.#check(), this.#options.checkEveryMs ?? checkEveryMs).unref(),
    ]
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
  }

  /** One company after another, so that pages take little of what reads have. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (const [companyId, company] of this.#companies) {
      const version = await this.#options.versionOf(companyId).catch(() => undefined)
      // Looked for again in a second, where the database is away.
      if (version === undefined || version === company.version) continue
      company.version = version
      for (const page of company.pages) page.send(changeEvent(version))
    }
    this.#isLooking = false
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (const page of this.#pages) {
      const mayLook = await page.mayLook().catch(() => undefined)
      if (mayLook === false) this.#end(page)
      // Proxies and browsers end what is silent.
      else page.send(hereEvent)
    }
    this.#isChecking = false
  }
}
