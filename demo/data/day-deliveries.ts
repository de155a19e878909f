import { isBefore, daysThrough, demoTimeZone, type DemoPlan } from './demo-plan.ts'
import type { DemoSourceName } from '../clients/demo-scene.ts'
import {
  earlierLedger,
  hasStatement,
  ledgerStatement,
  returnedParcels,
  wholesaleInvoices,
} from './ekeby-books.ts'
import { sieExport } from './norrsken-books.ts'
import { appVisits, coffeeOrdersCsv, registerSales, weekOfCoffeeOrders } from './norrsken-sales.ts'
import { numbersFrom } from './seeded-numbers.ts'
import { shopOrders, type Row } from './shop-orders.ts'

type Day = Temporal.PlainDate

/** A delivery of one system. */
export type DemoDelivery = {
  source: DemoSourceName
  /** The idempotency key, or the webhook's delivery id. */
  key: string
} & (
  | { kind: 'rows'; rows: Row[]; shapeVersion: number }
  | { kind: 'document'; body: Buffer }
  /** JSON, to be signed. */
  | { kind: 'webhook'; body: Buffer }
)

/** The systems send a day's deliveries in the twenty minutes from then on. */
const eveningFrom = { hour: 22, minute: 30 }
const eveningMinutes = 20

/** The time of a day, in its company's zone, at which its deliveries are sent. */
export function toEvening(plan: DemoPlan, day: Day): Temporal.Instant {
  const next = numbersFrom(`${plan.seed} evening ${day}`)
  const from = day.toZonedDateTime({ timeZone: demoTimeZone, plainTime: eveningFrom })
  return from.add({ minutes: next(eveningMinutes), seconds: next(60) }).toInstant()
}

const newVersion = 2

function shopVersion(plan: DemoPlan, day: Day): number {
  return isBefore(day, plan.channelFrom) ? 1 : newVersion
}

function pushed(source: DemoSourceName, key: string, rows: Row[], shapeVersion = 1): DemoDelivery[] {
  return rows.length === 0 ? [] : [{ kind: 'rows', source, key, rows, shapeVersion }]
}

function signed(key: string, rows: Row[]): DemoDelivery[] {
  return rows.length === 0
    ? []
    : [{ kind: 'webhook', source: 'registers', key, body: Buffer.from(JSON.stringify(rows)) }]
}

/** Of the systems with single events: the shop, the cash registers, and the app. */
function toEvents(plan: DemoPlan, day: Day, part: (rows: Row[]) => Row[], name: string): DemoDelivery[] {
  return [
    ...pushed('shop', `orders-${name}`, part(shopOrders(plan, day).rows), shopVersion(plan, day)),
    ...pushed('app', `visits-${name}`, part(appVisits(plan, day))),
    ...signed(`sales-${name}`, part(registerSales(plan, day).rows)),
  ]
}

/** The days of a month on which the previous one is exported, and how many of its last days are still missing. */
const unbookedDays: Record<number, number> = { 5: 7, 14: 0 }

/** Statements of the ledger about a month that has ended. */
function toClosings(plan: DemoPlan, day: Day): DemoDelivery[] {
  const closings = [
    { on: plan.correctedOn, month: plan.wrongMonth, name: 'corrected' },
    { on: plan.closedOn, month: plan.closedMonth, name: 'closed' },
    { on: plan.reopenedOn, month: plan.closedMonth, name: 'late-returns' },
  ]
  return closings.flatMap(({ on, month, name }) => {
    if (!day.equals(on)) return []
    const rows = ledgerStatement(plan, month.toPlainDate({ day: month.daysInMonth }), name !== 'closed')
    return pushed('ledger', `ledger-${month}-${name}`, rows)
  })
}

/** Deliveries that are sent once a day, a week or a month: invoices, parcels, statements, documents. */
function toBooks(plan: DemoPlan, day: Day): DemoDelivery[] {
  const deliveries: DemoDelivery[] = [
    ...pushed('wholesale', `invoices-${day}`, wholesaleInvoices(plan, day)),
    // The warehouse stops trying two days after the pause.
    ...(isBefore(day, plan.returnsPausedOn.add({ days: 3 }))
      ? pushed('returns', `parcels-${day}`, returnedParcels(plan, day))
      : []),
  ]
  if (hasStatement(day)) deliveries.push(...pushed('ledger', `ledger-${day}`, ledgerStatement(plan, day)))
  deliveries.push(...toClosings(plan, day))
  if (day.dayOfWeek === 5) {
    const body = weekOfCoffeeOrders(plan, day)
    deliveries.push({ kind: 'document', source: 'coffeeOrders', key: `orders-${day}`, body })
  }
  const unbooked = unbookedDays[day.day]
  const first = day.with({ day: 1 })
  if (unbooked !== undefined && isBefore(plan.firstDay, first)) {
    const body = sieExport(plan, first.subtract({ days: 1 + unbooked }))
    deliveries.push({ kind: 'document', source: 'bookkeeping', key: `sie-${day}`, body })
  }
  return deliveries
}

/** What the companies sent when they joined: the rows of the months before, a delivery for each source and quarter. */
export function earlierDeliveries(plan: DemoPlan): DemoDelivery[] {
  const days = daysThrough(plan.rowsFrom, plan.firstDay.subtract({ days: 1 }))
  const quarters = Map.groupBy(days, ({ year, month }) => `${year}-q${Math.ceil(month / 3)}`)
  return [...quarters].flatMap(([quarter, of]): DemoDelivery[] => {
    const [from, through, key] = [of[0]!, of.at(-1)!, `earlier-${quarter}`]
    // Those of the last week come with its Friday.
    const ordered = of.filter((day) => isBefore(day.add({ days: 5 - day.dayOfWeek }), plan.firstDay))
    return [
      ...pushed(
        'shop',
        key,
        of.flatMap((day) => shopOrders(plan, day).rows),
      ),
      ...pushed(
        'app',
        key,
        of.flatMap((day) => appVisits(plan, day)),
      ),
      ...signed(
        key,
        of.flatMap((day) => registerSales(plan, day).rows),
      ),
      ...pushed(
        'wholesale',
        key,
        of.flatMap((day) => wholesaleInvoices(plan, day)),
      ),
      ...pushed(
        'returns',
        key,
        of.flatMap((day) => returnedParcels(plan, day)),
      ),
      ...pushed('ledger', key, earlierLedger(plan, from, through)),
      { kind: 'document', source: 'coffeeOrders', key, body: coffeeOrdersCsv(plan, ordered) },
      { kind: 'document', source: 'bookkeeping', key, body: sieExport(plan, through, from) },
    ]
  })
}

/** All deliveries of the evening of a day; their order has no effect. */
export function planDeliveries(plan: DemoPlan, day: Day): DemoDelivery[] {
  const deliveries = [...toEvents(plan, day, (rows) => rows, day.toString()), ...toBooks(plan, day)]
  if (!day.equals(plan.sentTwiceOn)) return deliveries
  // The same bytes under another id are the same delivery [hook.hash].
  const again = deliveries
    .filter(({ source }) => source === 'registers')
    .map((delivery) => ({ ...delivery, key: `${delivery.key}-again` }))
  return [...deliveries, ...again]
}

function toDay(instant: Temporal.Instant): Day {
  return instant.toZonedDateTimeISO(demoTimeZone).toPlainDate()
}

/**
 * What a running demo sends for the time between two instants: the events of that time, in one delivery for each source
 * and day, and the books of each evening in it. For a whole day these are the rows of `planDeliveries`.
 */
export function deliveriesBetween(
  plan: DemoPlan,
  from: Temporal.Instant,
  to: Temporal.Instant,
): DemoDelivery[] {
  const isBetween = (instant: Temporal.Instant): boolean =>
    Temporal.Instant.compare(instant, from) > 0 && Temporal.Instant.compare(instant, to) <= 0
  const part = (rows: Row[]): Row[] => rows.filter((row) => isBetween(Temporal.Instant.from(row['at']!)))
  const name = to.toString({ smallestUnit: 'second' })
  return daysThrough(toDay(from), toDay(to)).flatMap((day) => [
    ...toEvents(plan, day, part, `${day}-until-${name}`),
    ...(isBetween(toEvening(plan, day)) ? toBooks(plan, day) : []),
  ])
}
