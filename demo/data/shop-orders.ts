import { isBefore, localTime, type DemoPlan } from './demo-plan.ts'
import { inKronor } from './kronor.ts'
import { numbersFrom, oneByWeight, type NextNumber } from './seeded-numbers.ts'
import { countOn, shopDay } from './trading-days.ts'

type Day = Temporal.PlainDate

/** A row as it is sent: every value is a text. */
export type Row = Record<string, string>

/** Rows of a day in the order of their times, and their sums by country, in öre. */
export interface ShopDay {
  rows: Row[]
  ore: Map<string, bigint>
}

/** On an ordinary day at the start. */
const ordersADay = 72
/** Every so many orders one is given back. */
const ordersARefund = 25
const refundedAfterSeconds = 840
/** Every so many orders one is a guest's, who has no number. */
const ordersAGuest = 12
/** The earliest and the latest time of an order, in seconds of the day. */
const [opensAt, closesAt] = [6 * 3600, 22 * 3600]

/** In hundredths of a krona. */
const unitPrices = [14_900, 19_900, 24_900, 29_900, 34_900, 44_900, 59_900, 79_900, 99_900, 129_900] as const
const quantities = [1, 1, 2, 1, 1, 3, 1, 1, 2, 1, 2, 1, 1, 2, 1, 1, 3, 1, 2, 1, 1, 2, 1, 2, 3] as const
const countriesAtFirst = [
  ['SE', 60],
  ['NO', 24],
  ['FI', 16],
] as const
const countriesWithDenmark = [
  ['SE', 60],
  ['NO', 17],
  ['DK', 12],
  ['FI', 11],
] as const
const channels = [
  ['web', 64],
  ['app', 36],
] as const

/** Customers of the first month, and of the last whole one before the demo is made. */
const [customersAtFirst, customersAtLast] = [900, 1_600]
/** So many fewer in each month before the first. */
const fewerCustomersAMonth = 14
/** Each month some old customers stay away and others are new. */
const newCustomersAMonth = 31

function hasDay(plan: DemoPlan, day: Day): boolean {
  return !plan.gap.some((missing) => missing.equals(day))
}

/** Without those given back. */
function ordersOn(plan: DemoPlan, day: Day): number {
  if (!hasDay(plan, day)) return 0
  const next = numbersFrom(`${plan.seed} orders ${day}`)
  return Math.max(ordersARefund, countOn(shopDay(plan.firstDay, day), ordersADay, BigInt(next(61) - 30)))
}

/** How many of a day's orders have a customer's number. */
function toKnownCustomer(orders: number): number {
  return orders - Math.trunc(orders / ordersAGuest)
}

/** By the plan and the month: how many orders of known customers each of its days follows, and how many there are. */
const months = new WeakMap<DemoPlan, Map<string, { before: number[]; all: number }>>()

function planMonth(plan: DemoPlan, day: Day): { before: number[]; all: number } {
  let byMonth = months.get(plan)
  if (byMonth === undefined) months.set(plan, (byMonth = new Map()))
  const name = day.toPlainYearMonth().toString()
  let month = byMonth.get(name)
  if (month === undefined) {
    const before: number[] = []
    let all = 0
    for (let date = 1; date <= day.daysInMonth; date++) {
      before.push(all)
      all += toKnownCustomer(ordersOn(plan, day.with({ day: date })))
    }
    byMonth.set(name, (month = { before, all }))
  }
  return month
}

/** Gives each order of known customers a customer, so that a whole month has as many as it is to have. */
class Customers {
  readonly #first: number
  readonly #wanted: number
  readonly #all: number
  #order: number

  constructor(plan: DemoPlan, day: Day) {
    const { before, all } = planMonth(plan, day)
    const first = plan.firstDay.toPlainYearMonth()
    const index = first.until(day.toPlainYearMonth(), { largestUnit: 'months' }).months
    const last = first.until(plan.today.toPlainYearMonth(), { largestUnit: 'months' }).months - 1
    const grown =
      index < 0
        ? index * fewerCustomersAMonth
        : Math.trunc(((customersAtLast - customersAtFirst) * index) / last)
    this.#first = 10_000 + index * newCustomersAMonth
    this.#wanted = Math.min(customersAtFirst + grown, all)
    this.#all = all
    this.#order = before[day.day - 1]!
  }

  next(next: NextNumber): string {
    const before = Math.trunc((this.#order * this.#wanted) / this.#all)
    const after = Math.trunc(((this.#order + 1) * this.#wanted) / this.#all)
    this.#order++
    const place = after > before || before === 0 ? before : next(before)
    return `c-${this.#first + place}`
  }
}

/** Seconds of the day, ascending. */
function planTimes(count: number, next: NextNumber): number[] {
  const seconds = Array.from({ length: count }, () => {
    // Most people buy in the evening.
    const [one, other] = [next(closesAt - opensAt), next(closesAt - opensAt)]
    return opensAt + Math.max(one, other)
  })
  return seconds.toSorted((a, b) => a - b)
}

const days = new WeakMap<DemoPlan, Map<string, ShopDay>>()

/** What the shop sells on a day. */
export function shopOrders(plan: DemoPlan, day: Day): ShopDay {
  let byDay = days.get(plan)
  if (byDay === undefined) days.set(plan, (byDay = new Map()))
  const name = day.toString()
  let made = byDay.get(name)
  if (made === undefined) byDay.set(name, (made = planOrders(plan, day)))
  return made
}

function planOrders(plan: DemoPlan, day: Day): ShopDay {
  const next = numbersFrom(`${plan.seed} shop ${day}`)
  const orders = ordersOn(plan, day)
  const customers = new Customers(plan, day)
  const countries = isBefore(day, plan.denmarkFrom) ? countriesAtFirst : countriesWithDenmark
  const hasChannel = !isBefore(day, plan.channelFrom)
  const [quantityAt, priceAt] = [next(quantities.length), next(unitPrices.length)]
  const refundAt = next(ordersARefund)
  const rows: Row[] = []
  const ore = new Map<string, bigint>()
  const number = day.toString().replaceAll('-', '')
  for (const [index, second] of planTimes(orders, next).entries()) {
    // Quantities and prices take turns, starting elsewhere each day: random ones would make some days far larger.
    const quantity = quantities[(quantityAt + index * 3) % quantities.length]!
    const unitPrice = unitPrices[(priceAt + index * 7) % unitPrices.length]!
    const country = oneByWeight(countries, next)
    const row: Row = {
      at: localTime(day, second),
      order: `${number}-${index + 1}`,
      quantity: String(quantity),
      unit_price: inKronor(BigInt(unitPrice)),
      country,
      customer: index % ordersAGuest === ordersAGuest - 1 ? '' : customers.next(next),
      ...(hasChannel && { channel: oneByWeight(channels, next) }),
    }
    rows.push(row)
    let sum = BigInt(quantity * unitPrice)
    if (index % ordersARefund === refundAt) {
      // A row that cancels another: the specification's way to correct an events source.
      const at = localTime(day, second + refundedAfterSeconds)
      rows.push({ ...row, at, order: `R${row['order']}`, quantity: `-${quantity}` })
      sum = 0n
    }
    ore.set(country, (ore.get(country) ?? 0n) + sum)
  }
  // A day has one offset, so its times sort as they are written.
  rows.sort((one, other) => (one['at']! < other['at']! ? -1 : 1))
  return { rows, ore }
}
