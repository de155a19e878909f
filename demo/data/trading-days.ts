/**
 * How much is sold on a day beside an ordinary one: growth, season, weekday, payday, Black Week. In thousandths, whole
 * numbers throughout.
 */
type Day = Temporal.PlainDate

const ordinary = 1_000n
const daysOfYear = 365

/**
 * The growth since a first day, or up to it, by so many per cent a year: the same day a year later has exactly that much
 * more. In thousandths.
 */
export function toGrowth(firstDay: Day, day: Day, perCent: bigint): bigint {
  const days = firstDay.until(day).days
  const years = Math.floor(days / daysOfYear)
  const rest = BigInt(days - years * daysOfYear)
  const [more, less] = [(100n + perCent) ** BigInt(Math.abs(years)), 100n ** BigInt(Math.abs(years))]
  const whole = years < 0 ? (ordinary * less) / more : (ordinary * more) / less
  return whole + (whole * perCent * rest) / BigInt(100 * daysOfYear)
}

/** By month, January first; of the shop without its Black Week, and without December. */
const shopSeason = [960, 970, 1000, 1000, 1010, 1000, 700, 980, 1010, 1020, 1010, 1800].map(BigInt)
/** By weekday, Monday first: a week is seven ordinary days. */
const shopWeek = [980, 940, 950, 970, 1060, 1080, 1020].map(BigInt)
const payday = 1_250n
const paydays = 3

const coffeeSeason = [1120, 1100, 1040, 980, 950, 900, 620, 850, 1020, 1080, 1140, 1200].map(BigInt)
const coffeeWeek = [960, 970, 980, 1000, 1140, 1220, 730].map(BigInt)

function product(factors: readonly bigint[]): bigint {
  return factors.reduce((all, factor) => (all * factor) / ordinary, ordinary)
}

/** The day after the fourth Thursday of November. */
function blackFriday(year: number): Day {
  const first = Temporal.PlainDate.from({ year, month: 11, day: 1 })
  return first.add({ days: ((11 - first.dayOfWeek) % 7) + 3 * 7 + 1 })
}

/** Monday to Sunday. Its average day is three ordinary ones, mostly on the Friday; undefined on other days. */
function getBlackWeek(day: Day): bigint | undefined {
  const friday = blackFriday(day.year)
  const days = friday.until(day).days
  if (days < -4 || days > 2) return undefined
  return days === 0 ? 4_200n : 2_800n
}

/** The 25th, or the Friday before if that is on a weekend, and the two days after it. */
function isAroundPayday(day: Day): boolean {
  const nominal = day.with({ day: 25 })
  const paid = nominal.subtract({ days: Math.max(0, nominal.dayOfWeek - 5) })
  const days = paid.until(day).days
  return days >= 0 && days < paydays
}

/** Before Christmas, around it, and the sales after it: 1.8 in the mean of the month. */
function getChristmas({ day }: Day): bigint {
  if (day <= 20) return 2_100n
  return day <= 26 ? 1_100n : 1_440n
}

/** A web shop's sales of a day, relative to an ordinary day at the start, in thousandths. */
export function shopDay(firstDay: Day, day: Day): bigint {
  const growth = toGrowth(firstDay, day, 18n)
  const blackWeek = getBlackWeek(day)
  if (blackWeek !== undefined) return product([growth, blackWeek])
  const weekday = shopWeek[day.dayOfWeek - 1]!
  if (day.month === 12) return product([growth, getChristmas(day), weekday])
  const season = shopSeason[day.month - 1]!
  return product([growth, season, weekday, isAroundPayday(day) ? payday : ordinary])
}

/** The same of cafés: fewer guests in the summer. */
export function coffeeDay(firstDay: Day, day: Day): bigint {
  const growth = toGrowth(firstDay, day, 7n)
  return product([growth, coffeeSeason[day.month - 1]!, coffeeWeek[day.dayOfWeek - 1]!])
}

/** A number around `ordinarily`, that of an ordinary day, within a share in thousandths. */
export function countOn(factor: bigint, ordinarily: number, noise: bigint): number {
  return Number((BigInt(ordinarily) * factor * (ordinary + noise)) / (ordinary * ordinary))
}
