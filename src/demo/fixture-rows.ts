/**
 * Rows of the kind that real systems send, made up from the day alone, so that a delivery made twice is the same
 * delivery: invoice lines with small quantities and prices in hundredths, about one in thirty of them a cancellation,
 * and a quarter without a customer.
 */

type Row = Record<string, string>

/** Whole numbers from 0 up to a bound, decided by a text (FNV-1a, then xorshift). */
function numbersFrom(text: string): (bound: number) => number {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193)
  state = state === 0 ? 1 : state
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** Hundredths as a decimal. */
function decimal(hundredths: number): string {
  const sign = hundredths < 0 ? '-' : ''
  const digits = String(Math.abs(hundredths)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const prices = [85, 125, 165, 195, 210, 255, 295, 339, 425, 495, 795, 995, 1_495]
const countries = ['SE', 'SE', 'SE', 'SE', 'NO', 'DK', 'FI', 'DE', 'GB']
function weekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
}

/** A time of `day` in UTC that falls on the same day in Sweden. */
function timeOf(day: string, number: (bound: number) => number): string {
  return `${day}T${twoDigits(7 + number(12))}:${twoDigits(number(60))}:${twoDigits(number(60))}Z`
}

/** The lines of a shop's day; each system has others. */
export function orderRows(day: string, system = 'orders'): Row[] {
  const number = numbersFrom(`${system} ${day}`)
  const lines = (weekend(day) ? 15 : 40) + number(30)
  return Array.from({ length: lines }, (_, line) => {
    const cancelled = number(30) === 0
    const quantity = 1 + number(12)
    return {
      at: timeOf(day, number),
      order: `${cancelled ? 'C' : ''}${day.replaceAll('-', '')}-${line}`,
      quantity: String(cancelled ? -quantity : quantity),
      unit_price: decimal(prices[number(prices.length)]!),
      country: countries[number(countries.length)]!,
      customer: number(4) === 0 ? '' : `c-${number(400)}`,
    }
  })
}

/** What a ledger books on a day: sales, and costs that no revenue counts. */
export function bookingRows(day: string): Row[] {
  const number = numbersFrom(`bookings ${day}`)
  const accounts = ['3001', '3001', '3051', '3740', '4010', '6570']
  return Array.from({ length: 3 + number(4) }, () => {
    const account = accounts[number(accounts.length)]!
    const hundredths = 100_00 + number(40_000_00)
    return { booked: day, account, amount: decimal(account < '4000' ? hundredths : -hundredths) }
  })
}

/** Who used an app on a day. */
export function visitRows(day: string): Row[] {
  const number = numbersFrom(`visits ${day}`)
  return Array.from({ length: 30 + number(40) }, () => {
    const user = number(300)
    return { at: timeOf(day, number), user: `u-${user}`, plan: user % 5 === 0 ? 'team' : 'free' }
  })
}
