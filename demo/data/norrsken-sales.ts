import { daysThrough, isBefore, localTime, type DemoPlan } from './demo-plan.ts'
import { inKronor } from './kronor.ts'
import { numbersFrom, oneByWeight, pickOne } from './seeded-numbers.ts'
import type { Row } from './shop-orders.ts'
import { coffeeDay, countOn, toGrowth } from './trading-days.ts'

type Day = Temporal.PlainDate

/** Rows, and their sum in öre. */
export interface Sales {
  rows: Row[]
  ore: bigint
}

/** The number of the cash registers' rows on an ordinary day, each of one product in a quarter of an hour. */
const registerRowsADay = 34

const products = [
  ['Bryggkaffe', 3_900],
  ['Espresso', 3_200],
  ['Cappuccino', 4_900],
  ['Bulle', 3_500],
  ['Smörgås', 8_900],
  ['Bönor 250 g', 12_900],
] as const

const registers = new WeakMap<DemoPlan, Map<string, Sales>>()

/** The cafés' sales of a day, from seven in the morning to half past seven in the evening. */
export function registerSales(plan: DemoPlan, day: Day): Sales {
  let byDay = registers.get(plan)
  if (byDay === undefined) registers.set(plan, (byDay = new Map()))
  const name = day.toString()
  let made = byDay.get(name)
  if (made === undefined) byDay.set(name, (made = planSales(plan, day)))
  return made
}

function planSales(plan: DemoPlan, day: Day): Sales {
  const next = numbersFrom(`${plan.seed} registers ${day}`)
  const count = countOn(coffeeDay(plan.firstDay, day), registerRowsADay, BigInt(next(121) - 60))
  const quarters = Array.from({ length: count }, () => next(50)).toSorted((a, b) => a - b)
  let ore = 0n
  const rows = quarters.map((quarter, index): Row => {
    const [product, price] = pickOne(products, next)
    const quantity = 3 + next(14)
    ore += BigInt(quantity * price)
    return {
      at: localTime(day, 7 * 3600 + quarter * 900 + index),
      quantity: String(quantity),
      unit_price: inKronor(BigInt(price)),
      product,
    }
  })
  return { rows, ore }
}

/** Orders of shops and offices on a working day. */
const ordersADay = 4
const beanPrices = [19_500, 22_500, 26_000, 31_500] as const
const countries = [
  ['SE', 78],
  ['NO', 12],
  ['FI', 10],
] as const
const clerks = ['Kim', 'Sam', 'Robin "R"']

/** The orders of other companies on a day. */
export function coffeeOrders(plan: DemoPlan, day: Day): Sales {
  if (day.dayOfWeek > 5) return { rows: [], ore: 0n }
  const next = numbersFrom(`${plan.seed} coffee orders ${day}`)
  const growth = toGrowth(plan.firstDay, day, 9n)
  let ore = 0n
  const rows = Array.from({ length: 1 + next(2 * ordersADay - 2) }, (_, index): Row => {
    const price = pickOne(beanPrices, next)
    const quantity = Number((BigInt(6 + next(30)) * growth) / 1_000n)
    ore += BigInt(quantity * price)
    return {
      at: localTime(day, 8 * 3600 + index * 2_700 + next(2_000)),
      order: `N${day.toString().replaceAll('-', '').slice(2)}${index + 1}`,
      quantity: String(quantity),
      unit_price: inKronor(BigInt(price)),
      country: oneByWeight(countries, next),
      customer: `${pickOne(['kontor', 'butik', 'hotell'], next)}-${1 + next(40)}`,
      clerk: pickOne(clerks, next),
    }
  })
  return { rows, ore }
}

const orderColumns = ['at', 'order', 'quantity', 'unit_price', 'country', 'customer', 'clerk']

/** Typed by hand into a new column: values that the service refuses, and two dates without a time. */
function filledInBadly(friday: Day): Row[] {
  const row = {
    order: 'NX',
    quantity: '8',
    unit_price: '225.00',
    country: 'SE',
    customer: 'butik-7',
    clerk: 'Kim',
  }
  const day = friday.toString()
  return [
    { ...row, at: localTime(friday, 36_000), order: 'NX1', unit_price: '225,00' },
    { ...row, at: `${day} 10:15`, order: 'NX2' },
    { ...row, at: localTime(friday, 37_800), order: 'NX3', quantity: 'tolv' },
    { ...row, at: day, order: 'NX4' },
    { ...row, at: day, order: 'NX5', quantity: '3' },
  ]
}

function cell(text: string): string {
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The orders of a week, sent on its Friday. */
export function weekOfCoffeeOrders(plan: DemoPlan, friday: Day): Buffer {
  const days = daysThrough(friday.subtract({ days: 4 }), friday)
  return coffeeOrdersCsv(plan, days, isBefore(friday, plan.badOrdersFrom) ? [] : filledInBadly(friday))
}

/** The orders of some days, and further rows: as spreadsheets write CSV, with an undeclared column. */
export function coffeeOrdersCsv(plan: DemoPlan, days: readonly Day[], further: readonly Row[] = []): Buffer {
  const rows = [...days.flatMap((day) => coffeeOrders(plan, day).rows), ...further]
  const lines = rows.map((row) => orderColumns.map((name) => cell(row[name]!)).join(';'))
  return Buffer.from([orderColumns.join(';'), ...lines, ''].join('\r\n'))
}

/** The app's users: their number at the start, and the growth each week; it was slower before. */
const [appUsers, newAppUsersAWeek, newAppUsersAWeekBefore] = [240, 3, 1]
const visitsADay = 44

/** A third of them pay, the longer they have been there the likelier. */
function getPlan(user: number): string {
  if (user % 9 === 0) return 'team'
  return user % 3 === 0 ? 'plus' : 'free'
}

/** Who used the app on a day, up to the one on which its export stopped. */
export function appVisits(plan: DemoPlan, day: Day): Row[] {
  if (!isBefore(day, plan.appSilentFrom)) return []
  const next = numbersFrom(`${plan.seed} visits ${day}`)
  const weeks = Math.trunc(plan.firstDay.until(day).days / 7)
  const users = appUsers + weeks * (weeks < 0 ? newAppUsersAWeekBefore : newAppUsersAWeek)
  const visits = countOn(toGrowth(plan.firstDay, day, 40n), visitsADay, BigInt(next(201) - 100))
  const seconds = Array.from({ length: visits }, () => 25_200 + next(50_000)).toSorted((a, b) => a - b)
  return seconds.map((second) => {
    const user = next(users)
    return { at: localTime(day, second), user: `u-${1_000 + user}`, plan: getPlan(user) }
  })
}
