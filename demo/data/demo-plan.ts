type Day = Temporal.PlainDate

/** The zone of all companies of the demo. */
export const demoTimeZone = 'Europe/Stockholm'

/** The default seed of the demo's numbers. */
const demoSeed = 'numera'

/** Whole months before the current one that have rows: two years, each with a year before it. */
const rowsMonths = 36

/** Those of them whose rows came day by day. When the companies joined, they sent the earlier ones by quarter. */
const dailyMonths = 14

/** How many days ago an incident must be at least, so that its consequences show. */
const seenAfterDays = 45

/** Deliveries to "Returns" are refused from this many days ago. */
const pausedDaysAgo = 9

/** The app has sent nothing since then: it is late, since it used to send every evening. */
const silentDaysAgo = 4

/** A month is closed on this day of the next one. */
const closingDay = 4
/** From this day on, the month before has been closed for days. */
const closedSinceDay = 8

/** The days of the demo's incidents, in the companies' time zone. Determined by the seed and the day. */
export interface DemoPlan {
  readonly seed: string
  /** The day on which the demo is created. */
  readonly today: Day
  /** The first day that has rows. */
  readonly rowsFrom: Day
  /** The first day whose rows came on its evening. */
  readonly firstDay: Day
  /** The shop sells to Denmark from this day on: the first of a March. */
  readonly denmarkFrom: Day
  /** The two days of a May on which the shop was closed. */
  readonly gap: readonly [Day, Day]
  /** A day in June, from whose evening on the shop sends the channel of each order. */
  readonly channelFrom: Day
  /** "Returns" was paused on this day; its last accepted delivery is of the day before. */
  readonly returnsPausedOn: Day
  /** The month whose last invoice the ledger had twice, and the day on which it was corrected. */
  readonly wrongMonth: Temporal.PlainYearMonth
  readonly correctedOn: Day
  /** The closed month to which returns were added yesterday, and the day on which it had been closed. */
  readonly closedMonth: Temporal.PlainYearMonth
  readonly closedOn: Day
  readonly reopenedOn: Day
  /** The first day on which the app sent nothing. */
  readonly appSilentFrom: Day
  /** The last Friday before today: from then on the spreadsheet of orders has errors. */
  readonly badOrdersFrom: Day
  /** A day whose cash register sales were sent twice, and one whose bookkeeping first came truncated. */
  readonly sentTwiceOn: Day
  readonly cutOffOn: Day
}

/** The last such date that is `seenAfterDays` ago. */
function toLastDay(today: Day, month: number, day: number): Day {
  const latest = today.subtract({ days: seenAfterDays })
  const thisYear = Temporal.PlainDate.from({ year: latest.year, month, day })
  return Temporal.PlainDate.compare(thisYear, latest) > 0 ? thisYear.subtract({ years: 1 }) : thisYear
}

export function isBefore(day: Day, other: Day): boolean {
  return Temporal.PlainDate.compare(day, other) < 0
}

/** Plans a demo that is created on `today`. */
export function planDemo(today: Day, seed = demoSeed): DemoPlan {
  const month = today.toPlainYearMonth()
  const gapFrom = toLastDay(today, 5, 12)
  const wrongMonth = month.subtract({ months: 3 })
  const closedMonth = month.subtract({ months: today.day < closedSinceDay ? 2 : 1 })
  return {
    seed,
    today,
    rowsFrom: month.subtract({ months: rowsMonths }).toPlainDate({ day: 1 }),
    firstDay: month.subtract({ months: dailyMonths }).toPlainDate({ day: 1 }),
    denmarkFrom: toLastDay(today, 3, 1),
    gap: [gapFrom, gapFrom.add({ days: 1 })],
    channelFrom: toLastDay(today, 6, 10),
    returnsPausedOn: today.subtract({ days: pausedDaysAgo }),
    wrongMonth,
    correctedOn: wrongMonth.add({ months: 1 }).toPlainDate({ day: 9 }),
    closedMonth,
    closedOn: closedMonth.add({ months: 1 }).toPlainDate({ day: closingDay }),
    reopenedOn: today.subtract({ days: 1 }),
    appSilentFrom: today.subtract({ days: silentDaysAgo }),
    badOrdersFrom: today.subtract({ days: ((today.dayOfWeek + 1) % 7) + 1 }),
    sentTwiceOn: today.subtract({ days: 5 }),
    cutOffOn: month.subtract({ months: 2 }).toPlainDate({ day: 5 }),
  }
}

/** The days from one up to the other, both included. */
export function daysThrough(first: Day, last: Day): Day[] {
  return Array.from({ length: first.until(last).days + 1 }, (_, index) => first.add({ days: index }))
}

/** An instant of a day at a local time, as real systems write it, with the offset of that day. */
export function localTime(day: Day, secondOfDay: number): string {
  const parts = [Math.trunc(secondOfDay / 3600), Math.trunc(secondOfDay / 60) % 60, secondOfDay % 60]
  return `${day}T${parts.map((part) => String(part).padStart(2, '0')).join(':')}${toOffset(day)}`
}

const offsets = new Map<string, string>()

/** Clocks are changed at night: by the morning a day has one offset. */
function toOffset(day: Day): string {
  const name = day.toString()
  let offset = offsets.get(name)
  if (offset === undefined) {
    offset = day.toZonedDateTime({ timeZone: demoTimeZone, plainTime: '12:00' }).offset
    offsets.set(name, offset)
  }
  return offset
}
