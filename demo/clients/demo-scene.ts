/** The companies of the demo, by the name that its code has for them. */
export const demoCompanyNames = ['ekeby', 'norrsken', 'soleTrader'] as const
export type DemoCompanyName = (typeof demoCompanyNames)[number]

/** The sources of each company in the order of their creation, by which a later start finds them. */
export const demoSourceNames = {
  ekeby: ['shop', 'ledger', 'wholesale', 'returns', 'firstSteps'],
  norrsken: ['app', 'registers', 'coffeeOrders', 'bookkeeping'],
  soleTrader: ['invoices'],
} as const satisfies Record<DemoCompanyName, readonly string[]>
export type DemoSourceName = (typeof demoSourceNames)[DemoCompanyName][number]

export interface DemoCompany {
  companyId: string
  orgnr: string
  timeZone: string
}

export interface DemoSource {
  companyId: string
  sourceId: string
  name: string
  channel: 'push' | 'webhook'
}

/** A demo while it is created, and as a later start finds it. */
export interface DemoScene {
  /** All made-up data follows from this text and a day. */
  seed: string
  /** The day on which the demo was created, in the companies' time zone. */
  today: Temporal.PlainDate
  /** While the demo is created, the sole trader is missing: they join last. */
  companies: Record<DemoCompanyName, DemoCompany>
  /** While the demo is created, `firstSteps` and `invoices` are missing: they are created last. */
  sources: Record<DemoSourceName, DemoSource>
}

/** A demo while it is created: everything in it happens at the time of `clock`. */
export interface DemoInProgress extends DemoScene {
  clock: { now(): number; set(instantMs: number): void }
  /** Where the service listens meanwhile, on this machine only; without a slash at the end. */
  url: string
}

/** Something that a person or an app did on one of the days before the demo was created. */
export interface DemoAction {
  /** 0 is today; at most the number of days since the first delivery. */
  daysAgo: number
  /** The time of that day in the companies' time zone, `HH:MM`. Actions of one time run in the order of the list. */
  at: string
  run: (demo: DemoInProgress) => Promise<void>
}
