import { daysThrough, isBefore, localTime, type DemoPlan } from './demo-plan.ts'
import { inKronor } from './kronor.ts'
import { numbersFrom, pickOne } from './seeded-numbers.ts'
import { shopOrders, type Row } from './shop-orders.ts'
import { toGrowth } from './trading-days.ts'

type Day = Temporal.PlainDate

const buyers = [
  'Hotell Almvik',
  'Kontor & Krets',
  'Skolköket Öst',
  'Butik Brunn',
  'Fasadgruppen',
  'Café Linden',
]
/** Tuesdays and Thursdays. */
const invoiceDays: ReadonlySet<number> = new Set([2, 4])

interface Amount {
  row: Row
  ore: bigint
}

function grown(plan: DemoPlan, day: Day, ore: number): bigint {
  // To whole kronor, as prices are agreed.
  return ((BigInt(ore) * toGrowth(plan.firstDay, day, 12n)) / 1_000n / 100n) * 100n
}

function invoicesOn(plan: DemoPlan, day: Day): Amount[] {
  if (!invoiceDays.has(day.dayOfWeek)) return []
  const next = numbersFrom(`${plan.seed} invoices ${day}`)
  return Array.from({ length: 2 + next(3) }, (_, index) => {
    const ore = grown(plan, day, 1_200_000 + next(3_600) * 1_000)
    const number = `${day.toString().replaceAll('-', '').slice(2)}${index + 1}`
    const row = {
      invoiced: day.toString(),
      invoice: number,
      buyer: pickOne(buyers, next),
      amount: inKronor(ore),
    }
    return { row, ore }
  })
}

/** The invoices of a day to other companies, with dates but no times, as in a ledger. */
export function wholesaleInvoices(plan: DemoPlan, day: Day): Row[] {
  return invoicesOn(plan, day).map(({ row }) => row)
}

const reasons = ['too small', 'too large', 'damaged', 'not as shown', 'changed their mind']

function planReturns(plan: DemoPlan, day: Day): Amount[] {
  // Closed at weekends.
  if (day.dayOfWeek > 5) return []
  const next = numbersFrom(`${plan.seed} returns ${day}`)
  return Array.from({ length: 2 + next(5) }, (_, index) => {
    const ore = -BigInt(19_900 + next(30) * 2_500)
    const row = {
      at: localTime(day, 9 * 3600 + index * 4_000 + next(3_000)),
      parcel: `P${day.toString().replaceAll('-', '')}-${index + 1}`,
      amount: inKronor(ore),
      reason: pickOne(reasons, next),
    }
    return { row, ore }
  })
}

/** The parcels that came back on a day. Their deliveries are refused from the day on which the source was paused. */
export function returnedParcels(plan: DemoPlan, day: Day): Row[] {
  return planReturns(plan, day).map(({ row }) => row)
}

/** The chart of accounts that most Swedish companies use: sales are 3000 to 3799. */
const accounts = {
  sweden: '3001',
  outsideUnion: '3105',
  insideUnion: '3106',
  wholesale: '3041',
  returns: '3731',
  goods: '4010',
  rent: '5010',
  salaries: '7010',
}
const accountByCountry: Record<string, string> = {
  SE: accounts.sweden,
  NO: accounts.outsideUnion,
  DK: accounts.insideUnion,
  FI: accounts.insideUnion,
}

function addUp(amounts: Iterable<bigint>): bigint {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return sum
}

/** The ledger's bookings of a day. Returns during the pause of "Returns" are not booked before they are delivered. */
function bookingsOn(plan: DemoPlan, day: Day): Row[] {
  const byAccount = new Map<string, bigint>()
  const book = (account: string, ore: bigint): void => {
    byAccount.set(account, (byAccount.get(account) ?? 0n) + ore)
  }
  const shop = shopOrders(plan, day).ore
  for (const [country, ore] of shop) book(accountByCountry[country]!, ore)
  for (const { ore } of invoicesOn(plan, day)) book(accounts.wholesale, ore)
  if (isBefore(day, plan.returnsPausedOn))
    for (const { ore } of planReturns(plan, day)) book(accounts.returns, ore)
  book(accounts.goods, -(addUp(byAccount.values()) * 52n) / 100n)
  if (day.day === 1) book(accounts.rent, -6_450_000n)
  if (day.day === 25) book(accounts.salaries, -31_280_000n)
  return [...byAccount]
    .filter(([, ore]) => ore !== 0n)
    .map(([account, ore]) => ({ booked: day.toString(), account, amount: inKronor(ore) }))
}

/** An invoice that was booked twice, until it was noticed. */
const bookedTwice = 24_850_000n
const bookedTwiceDay = 20

/** The parcels of these days were on a shelf, and booked after the month had been closed. */
const [bookedLateFrom, bookedLateThrough] = [18, 25]

function isBookedLate(plan: DemoPlan, { booked, account }: Row): boolean {
  const day = Temporal.PlainDate.from(booked!)
  return (
    account === accounts.returns &&
    plan.closedMonth.equals(day.toPlainYearMonth()) &&
    day.day >= bookedLateFrom &&
    day.day <= bookedLateThrough
  )
}

/** Whole months, before the companies joined. */
export function earlierLedger(plan: DemoPlan, from: Day, through: Day): Row[] {
  return daysThrough(from, through).flatMap((day) => bookingsOn(plan, day))
}

/** A month from its first day to `through`, as a statement has it, including its errors of that day. */
export function ledgerStatement(plan: DemoPlan, through: Day, isCorrected = false): Row[] {
  const rows = daysThrough(through.with({ day: 1 }), through)
    .flatMap((day) => bookingsOn(plan, day))
    .filter((row) => isCorrected || !isBookedLate(plan, row))
  const isWrong = plan.wrongMonth.equals(through.toPlainYearMonth()) && !isCorrected
  if (isWrong && through.day >= bookedTwiceDay) {
    rows.push({
      booked: through.with({ day: bookedTwiceDay }).toString(),
      account: accounts.wholesale,
      amount: inKronor(bookedTwice),
    })
  }
  return rows
}

/** Sundays, and the last day of a month. */
export function hasStatement(day: Day): boolean {
  return day.dayOfWeek === 7 || day.day === day.daysInMonth
}
