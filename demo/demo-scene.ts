import type { AppContext } from '../src/app/app-context.ts'
import type { TestClock } from '../src/platform/clock/clock.ts'
import type { Company } from '../src/people/companies/company.ts'
import type { Source } from '../src/company/sources/source.ts'

/** The companies of the demo, by the name that its code has for them. */
export const demoCompanyNames = ['ekeby', 'norrsken', 'soleTrader'] as const
export type DemoCompanyName = (typeof demoCompanyNames)[number]

/** The sources of each company, in the order in which they are made: nobody can put another one before them. */
export const demoSourceNames = {
  ekeby: ['shop', 'ledger', 'wholesale', 'returns', 'firstSteps'],
  norrsken: ['app', 'registers', 'coffeeOrders', 'bookkeeping'],
  soleTrader: ['invoices'],
} as const satisfies Record<DemoCompanyName, readonly string[]>
export type DemoSourceName = (typeof demoSourceNames)[DemoCompanyName][number]

export interface DemoSource extends Source {
  companyId: string
}

/** A demo as it is being made, and as it is found when it is started again. */
export interface DemoScene {
  /** Everything made up is made up from this text and a day. */
  seed: string
  /** The day on which the demo is made, in the companies' time zone. */
  today: Temporal.PlainDate
  /** The first day that has deliveries: the first of a month, more than a year before `today`. */
  firstDay: Temporal.PlainDate
  /** The owner of the companies. */
  owner: { memberId: string; personalNumber: string; name: string }
  /** While it is made, the sole trader is not there: they join last. */
  companies: Record<DemoCompanyName, Company>
  /** While it is made, `firstSteps` and `invoices` are not there: they are made last. */
  sources: Record<DemoSourceName, DemoSource>
}

/** A demo that is being made: everything in it happens at the time of `clock`. */
export interface DemoInMaking extends DemoScene {
  /** Its clock is `clock`, for use cases and for the electronic identity alike. */
  context: AppContext
  /** Stands where it was set to, but for the milliseconds that pass; never ahead of the real time. */
  clock: TestClock
  /** Where the service listens meanwhile, on this machine alone and at the time of `clock`; without a slash at the end. */
  url: string
}

/** Something that somebody did on one of the days before the demo was made. */
export interface DemoAct {
  /** 0 is today. At most as many as there are days from `firstDay`. */
  daysAgo: number
  /** The time of that day in the companies' time zone, `HH:MM`; acts of one time are run in the order of the list. */
  at: string
  run: (demo: DemoInMaking) => Promise<void>
}
