import { expect, test } from 'vitest'
import {
  deliveriesBetween,
  earlierDeliveries,
  planDeliveries,
  toEvening,
  type DemoDelivery,
} from './day-deliveries.ts'
import { daysThrough, isBefore, planDemo, type DemoPlan } from './demo-plan.ts'
import type { DemoSourceName } from '../clients/demo-scene.ts'
import type { Row } from './shop-orders.ts'

type Day = Temporal.PlainDate

const toDay = (text: string): Day => Temporal.PlainDate.from(text)
const plan = planDemo(toDay('2026-11-22'))
const yesterday = (of: DemoPlan): Day => of.today.subtract({ days: 1 })
const history = (of: DemoPlan): Day[] => daysThrough(of.firstDay, yesterday(of))

const fetchRows = (delivery: DemoDelivery | undefined): Row[] => {
  if (delivery === undefined) return []
  if (delivery.kind === 'rows') return delivery.rows
  if (delivery.kind === 'webhook') return JSON.parse(delivery.body.toString())
  throw new Error('a document has no rows yet')
}
/** The deliveries of each evening, created once. */
const evenings = new Map<DemoPlan, Map<string, DemoDelivery[]>>()
const eveningDeliveries = (of: DemoPlan, day: Day): DemoDelivery[] => {
  const known = evenings.get(of) ?? new Map<string, DemoDelivery[]>()
  evenings.set(of, known)
  const deliveries = known.get(day.toString()) ?? planDeliveries(of, day)
  known.set(day.toString(), deliveries)
  return deliveries
}
const from = (source: DemoSourceName, deliveries: DemoDelivery[]): DemoDelivery[] =>
  deliveries.filter((delivery) => delivery.source === source)
const rowsOn = (of: DemoPlan, source: DemoSourceName, day: Day): Row[] =>
  fetchRows(from(source, eveningDeliveries(of, day))[0])

const has = (rows: Row[], { booked, account }: Row): boolean =>
  rows.some((row) => row['booked'] === booked && row['account'] === account)

/** A decimal with two decimals, in öre. */
const toOre = (decimal: string): bigint => BigInt(decimal.replace('.', ''))
const addUp = (rows: Row[], toAmount: (row: Row) => bigint): bigint =>
  rows.reduce((sum, row) => sum + toAmount(row), 0n)
const soldFor = (row: Row): bigint => BigInt(row['quantity']!) * toOre(row['unit_price']!)
const amount = (row: Row): bigint => toOre(row['amount']!)

const soldOn = (of: DemoPlan, days: Day[], country?: string): number =>
  Number(
    days.reduce((sum, day) => {
      const rows = rowsOn(of, 'shop', day).filter(
        (row) => country === undefined || row['country'] === country,
      )
      return sum + addUp(rows, soldFor)
    }, 0n),
  )
const planMonth = (text: string): Day[] => {
  const month = Temporal.PlainYearMonth.from(text)
  return daysThrough(month.toPlainDate({ day: 1 }), month.toPlainDate({ day: month.daysInMonth }))
}
const aDay = (days: Day[]): number => soldOn(plan, days) / days.length

const countCustomers = (month: string): number =>
  new Set(
    planMonth(month)
      .flatMap((day) => rowsOn(plan, 'shop', day))
      .filter((row) => Number(row['quantity']) > 0 && row['customer'] !== '')
      .map((row) => row['customer']),
  ).size

test('The same seed and day give the same deliveries, byte for byte; another seed gives others', () => {
  for (const day of [plan.firstDay, plan.sentTwiceOn, plan.correctedOn, yesterday(plan)]) {
    expect(planDeliveries(planDemo(plan.today), day)).toEqual(planDeliveries(plan, day))
    expect(planDeliveries(planDemo(plan.today, 'another'), day)).not.toEqual(planDeliveries(plan, day))
  }
})

test.each(['2026-11-22', '2027-06-05', '2028-03-01'])(
  'Each month’s last ledger statement equals shop, wholesale and returns to the öre, created on %s',
  (today) => {
    const of = planDemo(toDay(today))
    const stated = new Map<string, bigint>()
    const sold = new Map<string, bigint>()
    const add = (month: string, ore: bigint): unknown => sold.set(month, (sold.get(month) ?? 0n) + ore)
    for (const day of history(of)) {
      const month = day.toPlainYearMonth().toString()
      add(month, addUp(rowsOn(of, 'shop', day), soldFor))
      add(month, addUp(rowsOn(of, 'wholesale', day), amount))
      if (isBefore(day, of.returnsPausedOn)) add(month, addUp(rowsOn(of, 'returns', day), amount))
      for (const delivery of from('ledger', eveningDeliveries(of, day))) {
        const rows = fetchRows(delivery).filter(({ account }) => account! >= '3000' && account! < '3800')
        const [first] = rows
        stated.set(first!['booked']!.slice(0, 7), addUp(rows, amount))
      }
    }
    const whole = [...stated.keys()].filter((month) => month !== of.today.toPlainYearMonth().toString())
    expect(whole).toHaveLength(14)
    for (const month of whole) expect([month, stated.get(month)]).toEqual([month, sold.get(month)])
  },
)

test('One month has an invoice twice until it is restated', () => {
  const before = planDeliveries(plan, plan.correctedOn.subtract({ days: 9 }))
  const after = planDeliveries(plan, plan.correctedOn)
  const [wrong, corrected] = [before, after].map((deliveries) =>
    addUp(
      fetchRows(from('ledger', deliveries).find(({ key }) => key.startsWith('ledger-2026-08'))).filter(
        ({ account }) => account! < '3800',
      ),
      amount,
    ),
  )
  expect(wrong! - corrected!).toBe(24_850_000n)
  expect(Number(wrong! - corrected!) / Number(corrected!)).toBeGreaterThan(0.05)
})

test('When they joined, the companies sent the rows of 22 months, which end where the evenings begin', () => {
  const of = planDemo(toDay('2027-06-05'))
  const before = of.firstDay.subtract({ days: 1 })
  const days = daysThrough(of.rowsFrom, before)
  const earlier = earlierDeliveries(of)
  expect(of.rowsFrom.until(of.firstDay, { largestUnit: 'months' }).months).toBe(22)
  for (const source of ['shop', 'app', 'registers'] as const) {
    const rows = from(source, earlier).flatMap(fetchRows)
    expect(new Set(rows.map(({ at }) => at!.slice(0, 10)))).toEqual(new Set(days.map(String)))
  }
  const ledger = from('ledger', earlier).flatMap(fetchRows)
  const sold = ['shop', 'wholesale', 'returns'] as const
  const [shop, ...others] = sold.map((source) => from(source, earlier).flatMap(fetchRows))
  expect(
    addUp(
      ledger.filter(({ account }) => account! >= '3000' && account! < '3800'),
      amount,
    ),
  ).toBe(addUp(shop!, soldFor) + addUp(others.flat(), amount))
  const orders = [...earlier, ...history(of).flatMap((day) => eveningDeliveries(of, day))]
    .filter(({ source }) => source === 'coffeeOrders')
    .flatMap((delivery) => (delivery.kind === 'document' ? delivery.body.toString().split('\r\n') : []))
    .map((line) => line.split(';')[1]!)
    .filter((order) => /^N\d/.test(order))
  expect(new Set(orders).size).toBe(orders.length)
})

test('The earlier years are smaller, with the same seasons', () => {
  const [october, year, two] = [0, 1, 2].map((years) => soldOn(plan, planMonth(`${2026 - years}-10`)))
  for (const growth of [october! / year!, year! / two!]) {
    expect(growth).toBeGreaterThan(1.13)
    expect(growth).toBeLessThan(1.24)
  }
  expect(aDay(planMonth('2024-12')) / aDay(planMonth('2024-10'))).toBeGreaterThan(1.6)
  expect(aDay(planMonth('2024-07')) / aDay(planMonth('2024-06'))).toBeLessThan(0.77)
  expect(countCustomers('2024-10')).toBeLessThan(countCustomers('2025-09'))
})

test.each(['2026-11-22', '2027-03-01', '2027-03-08', '2027-03-31'])(
  'Yesterday, returns were added to a month that had been closed, created on %s',
  (today) => {
    const of = planDemo(toDay(today))
    const end = of.closedMonth.toPlainDate({ day: of.closedMonth.daysInMonth })
    const [closed, reopened] = [of.closedOn, of.reopenedOn].map((day) => {
      expect(isBefore(end, day)).toBe(true)
      const statements = from('ledger', planDeliveries(of, day))
      return fetchRows(statements.find(({ key }) => key.startsWith(`ledger-${of.closedMonth}`)))
    })
    expect(isBefore(of.closedOn, of.reopenedOn.subtract({ days: 2 }))).toBe(true)
    const added = reopened!.filter((row) => !has(closed!, row))
    expect(added.length).toBeGreaterThan(3)
    expect(new Set(added.map(({ account }) => account))).toEqual(new Set(['3731']))
    expect(reopened!.filter((row) => has(closed!, row))).toEqual(closed)
  },
)

test('The app is late: it has sent nothing for four evenings', () => {
  const sent = [5, 4, 1].map(
    (days) => from('app', planDeliveries(plan, plan.today.subtract({ days }))).length,
  )
  expect(sent).toEqual([1, 0, 0])
  expect(from('app', planDeliveries(plan, plan.today.add({ days: 5 })))).toEqual([])
})

test('The shop grows by 18 % in a year, with peaks in Black Week and December and a low in July', () => {
  const [lastYear, thisYear] = ['2025-10', '2026-10'].map((month) => soldOn(plan, planMonth(month)))
  expect(thisYear! / lastYear!).toBeGreaterThan(1.13)
  expect(thisYear! / lastYear!).toBeLessThan(1.23)
  const ordinary = aDay(daysThrough(toDay('2025-10-28'), toDay('2025-11-23')))
  const blackWeek = aDay(daysThrough(toDay('2025-11-24'), toDay('2025-11-30')))
  expect(blackWeek / ordinary).toBeGreaterThan(2.7)
  expect(blackWeek / ordinary).toBeLessThan(3.3)
  expect(aDay(planMonth('2025-12')) / ordinary).toBeGreaterThan(1.6)
  expect(aDay(planMonth('2025-12')) / ordinary).toBeLessThan(2)
  const around = aDay([...planMonth('2026-06'), ...planMonth('2026-08')])
  expect(aDay(planMonth('2026-07')) / around).toBeGreaterThan(0.63)
  expect(aDay(planMonth('2026-07')) / around).toBeLessThan(0.77)
  const [mondays, fridays] = [1, 5].map((weekday) =>
    aDay(history(plan).filter(({ month, dayOfWeek }) => dayOfWeek === weekday && ![11, 12].includes(month))),
  )
  expect(fridays! / mondays!).toBeGreaterThan(1.03)
  const [paid, before] = [
    [25, 26, 27],
    [17, 18, 19],
  ].map((dates) =>
    aDay(history(plan).filter(({ month, day }) => dates.includes(day) && [2, 3, 6, 8, 9].includes(month))),
  )
  expect(paid! / before!).toBeGreaterThan(1.05)
})

test('Sweden is three fifths, Denmark begins in March, two days of May are missing, June adds the channel', () => {
  const days = history(plan)
  const share = soldOn(plan, days, 'SE') / soldOn(plan, days)
  expect(share).toBeGreaterThan(0.57)
  expect(share).toBeLessThan(0.63)
  expect(
    soldOn(
      plan,
      days.filter((day) => isBefore(day, toDay('2026-03-01'))),
      'DK',
    ),
  ).toBe(0)
  for (const month of ['2026-03', '2026-10']) expect(soldOn(plan, planMonth(month), 'DK')).toBeGreaterThan(0)
  const missing = days.filter((day) => from('shop', eveningDeliveries(plan, day)).length === 0)
  expect(missing.map(String)).toEqual(['2026-05-12', '2026-05-13'])
  const versions = new Map<number, string>()
  for (const day of days) {
    const [delivery] = from('shop', eveningDeliveries(plan, day))
    if (delivery?.kind !== 'rows') continue
    if (!versions.has(delivery.shapeVersion)) versions.set(delivery.shapeVersion, day.toString())
    const withChannel = delivery.rows.filter((row) => row['channel'] !== undefined).length
    expect(withChannel).toBe(delivery.shapeVersion === 2 ? delivery.rows.length : 0)
  }
  expect([...versions]).toEqual([
    [1, plan.firstDay.toString()],
    [2, '2026-06-10'],
  ])
  const refunds = days
    .flatMap((day) => rowsOn(plan, 'shop', day))
    .filter((row) => Number(row['quantity']) < 0)
  expect(refunds.length).toBeGreaterThan(days.length)
})

test('The customers of a month grow from 900 to 1,600', () => {
  const months = Array.from({ length: 14 }, (_, index) =>
    plan.firstDay.add({ months: index }).toPlainYearMonth().toString(),
  )
  const customers = months.map(countCustomers)
  expect([customers[0], customers.at(-1)]).toEqual([900, 1_600])
  expect(customers).toEqual(customers.toSorted((a, b) => a - b))
})

test('A running demo sends in parts what an evening sends as a whole', () => {
  const day = plan.today.add({ days: 5 })
  const start = day.toZonedDateTime('Europe/Stockholm')
  const parts = Array.from({ length: 24 }, (_, hour) =>
    deliveriesBetween(
      plan,
      start.add({ hours: hour }).toInstant(),
      start.add({ hours: hour + 1 }).toInstant(),
    ),
  ).flat()
  const whole = planDeliveries(plan, day)
  for (const source of ['shop', 'registers'] as const) {
    expect(from(source, parts).flatMap(fetchRows)).toEqual(from(source, whole).flatMap(fetchRows))
  }
  const keys = parts.map(({ source, key }) => `${source} ${key}`)
  expect(new Set(keys).size).toBe(keys.length)
  const books = whole.filter(({ source }) => !['shop', 'registers'].includes(source))
  expect(parts.filter(({ source }) => !['shop', 'registers'].includes(source))).toEqual(books)
})

test('On every day of creation the incidents are in the history, long enough ago', () => {
  for (const today of daysThrough(toDay('2027-01-01'), toDay('2028-03-31'))) {
    const of = planDemo(today)
    const seen = [of.denmarkFrom, ...of.gap, of.channelFrom]
    for (const day of seen) {
      expect(of.firstDay.until(day).days, `${today}: ${day}`).toBeGreaterThanOrEqual(14)
      expect(day.until(today).days, `${today}: ${day}`).toBeGreaterThanOrEqual(43)
    }
    expect(of.firstDay.until(today).days).toBeGreaterThanOrEqual(424)
    expect(of.badOrdersFrom.dayOfWeek).toBe(5)
    expect(of.badOrdersFrom.until(today).days).toBeGreaterThanOrEqual(1)
    expect(of.badOrdersFrom.until(today).days).toBeLessThanOrEqual(7)
    expect(of.correctedOn.until(today).days).toBeGreaterThan(21)
  }
})

test('Rows are of their day, before its deliveries are sent', () => {
  for (const day of [plan.firstDay, toDay('2026-03-29'), toDay('2025-10-26'), yesterday(plan)]) {
    const evening = toEvening(plan, day)
    for (const source of ['shop', 'app', 'registers'] as const) {
      for (const { at } of rowsOn(plan, source, day)) {
        expect(at!.slice(0, 10)).toBe(day.toString())
        expect(Temporal.Instant.compare(Temporal.Instant.from(at!), evening)).toBeLessThan(0)
      }
    }
  }
})
